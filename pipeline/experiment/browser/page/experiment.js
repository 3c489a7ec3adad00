"use strict";

/** What the page shows: id, lists, texts, background, feedback, minutes, leave (an address, or empty), responsible. */
const study = JSON.parse(document.getElementById("study").textContent);
const { texts } = study;
const stage = document.getElementById("stage");
const notice = document.getElementById("notice");
const progress = document.getElementById("progress");
const KEY = `winoforge-${study.id}`;
/** What a host that takes no records answers to the question for a list; 410 says that the session was withdrawn. */
const NO_SERVER = [404, 405, 410];
const CONFIDENCE = ["1", "2", "3", "4", "5"];

let records = null;
let current = null;
let withdrawn = false;

/** Runs a timeline from its start to its end; with `mode`, jsPsych simulates a person. */
async function play(timeline, mode = "") {
  stage.replaceChildren();
  current = jsPsychModule.initJsPsych({
    display_element: stage,
    on_trial_start: () => {
      stage.tabIndex = -1; // jsPsych makes it a stop of the tab key
    },
  });
  await (mode ? current.simulate(timeline, mode) : current.run(timeline));
}

/** Shows a text without a way on, or with a button; resolves when it is pressed. */
function show(title, body, button = "") {
  const heading = element("h2", { tabindex: "-1" }, title);
  stage.replaceChildren(heading, ...body);
  heading.focus({ preventScroll: true });
  return new Promise((resolve) => {
    if (button) {
      const made = element("button", { type: "button", class: "next" }, button);
      made.addEventListener("click", resolve, { once: true });
      stage.append(made);
    }
  });
}

/** Shows how far the person is; nothing without a number. */
function showProgress(label = "", done = 0, all = 1) {
  progress.hidden = !label;
  progress.querySelector("span").textContent = label;
  Object.assign(progress.querySelector("progress"), { value: done, max: all });
}

/** Shows what the person must know about storing and sending, and nothing where all goes well. */
function showState({ failures, refused, stored, transport, left }) {
  let text = "";
  if (!stored) {
    text = texts["no-storage"];
  } else if (refused) {
    text = texts.refused;
  } else if (transport && left && failures > 1) {
    text = texts.offline;
  }
  notice.hidden = !text;
  if (notice.textContent !== text) {
    notice.textContent = text;
  }
}

/** Returns the consent as a timeline. */
function consent() {
  const { responsible, minutes } = study;
  return [{
    type: TextPlugin,
    title: texts["consent-title"],
    body: () => [...paragraphs(texts.consent, { minutes }), ...paragraphs(responsible)],
    boxes: [texts["consent-adult"], texts["consent-agree"]],
    missing: texts["consent-missing"],
    button: texts.agree,
  }];
}

/** Returns the screens of one trial: the pronoun, how sure, and for practice the explanation. */
function screens(trial, label, done, all, keep) {
  let answer = null;
  const common = { text: trial.text, gap: texts.gap };
  const timeline = [{
    ...common,
    type: ChoicePlugin,
    question: texts.question,
    choices: trial.options,
    on_start: () => showProgress(label, done, all),
    on_finish: (data) => {
      answer = data;
    },
  }, {
    ...common,
    type: ChoicePlugin,
    word: () => answer?.response ?? "",
    question: texts.confidence,
    choices: CONFIDENCE,
    ends: [texts.low, texts.high],
    keys: false,
    on_finish: (data) => {
      if (answer?.response && data.response) {
        keep({
          position: trial.position,
          id: trial.id,
          part: trial.part,
          answer: answer.response,
          confidence: Number(data.response),
          rt_answer_ms: answer.rt,
          rt_confidence_ms: data.rt,
          input: answer.input,
        });
      }
    },
  }];
  if (trial.id in study.feedback) {
    timeline.push({
      type: TextPlugin,
      body: () => [
        sentence(trial.text, answer?.response ?? "", texts.gap),
        element("div", { class: "feedback", role: "status" }, ...paragraphs(texts.feedback, { answer: answer?.response }),
          ...paragraphs(study.feedback[trial.id])),
      ],
      button: texts.next,
    });
  }
  return timeline;
}

/** Returns what is still to do in a session: all of it, or what follows the last record before a reload. */
function remaining(session) {
  const trials = study.lists[session.state.list];
  const done = new Set(session.of("trial").map((trial) => trial.position));
  const practice = trials.filter((trial) => trial.part === "practice");
  const main = trials.filter((trial) => trial.part !== "practice");
  const keep = (data) => session.add("trial", data);
  const all = main.length;
  const timeline = [];
  if (!session.of("background").length) {
    timeline.push({
      type: TextPlugin,
      title: texts["background-title"],
      body: () => paragraphs(texts.background),
      questions: study.background,
      choose: texts.choose,
      missing: texts.missing,
      button: texts.next,
      on_finish: ({ response }) => response && session.add("background", response),
    });
  }
  if (!done.size) {
    timeline.push({ type: TextPlugin, title: texts["instruction-title"], body: () => paragraphs(texts.instruction), button: texts.next });
  }
  practice.forEach((trial, number) => {
    if (!done.has(trial.position)) {
      const label = texts.practice.replace("{done}", number + 1).replace("{all}", practice.length);
      timeline.push(...screens(trial, label, number, practice.length, keep));
    }
  });
  if (!main.some((trial) => done.has(trial.position))) {
    timeline.push({
      type: TextPlugin,
      title: texts["begin-title"],
      body: () => paragraphs(texts.begin, { all }),
      button: texts.start,
      on_start: () => showProgress(),
    });
  }
  main.forEach((trial, number) => {
    if (!done.has(trial.position)) {
      const label = texts.progress.replace("{done}", number + 1).replace("{all}", all);
      timeline.push(...screens(trial, label, number, all, keep));
    }
  });
  return timeline;
}

/** Returns where records go: "jatos", "server", or "file" on a host that takes none. Resolves to the list too, if a server names one. */
async function destination(session) {
  if (location.pathname.includes("/publix/")) {
    await new Promise((resolve, reject) => {
      const script = element("script", { src: "jatos.js" });
      Object.assign(script, { onload: resolve, onerror: reject });
      document.head.append(script);
    });
    await new Promise((resolve) => jatos.onLoad(resolve));
    return { transport: toJatos };
  }
  if (!location.protocol.startsWith("http")) {
    return { transport: null };
  }
  const answer = await fetch(`api/assignment?session=${session}`, { headers: { Accept: "application/json" } });
  if (answer.ok && (answer.headers.get("Content-Type") ?? "").includes("json")) {
    return { transport: toServer, list: (await answer.json()).list };
  }
  if (answer.ok || NO_SERVER.includes(answer.status)) {
    return { transport: null };
  }
  throw new Error(String(answer.status));
}

/** Returns the destination, and asks the person to try again while the server does not answer. */
async function reach(session) {
  for (;;) {
    try {
      return await destination(session);
    } catch {
      await show(texts.title, paragraphs(texts["no-list"]), texts.retry);
    }
  }
}

/** Returns the list that the address of the page names, or a random one. */
function ownList() {
  const lists = Object.keys(study.lists).map(Number);
  const named = Number(new URLSearchParams(location.search).get("list"));
  return lists.includes(named) ? named : lists[Math.floor(Math.random() * lists.length)];
}

/** Offers all records as a file; resolves when it was saved. */
async function offerFile(title) {
  await show(title, paragraphs(texts["end-file"]), texts.file);
  const address = URL.createObjectURL(new Blob([records.text()], { type: "application/jsonl" }));
  const link = element("a", { href: address, download: `${records.state.session}.jsonl` });
  document.body.append(link);
  link.click();
  link.remove();
}

/** Ends a session whose trials are done: waits until the server has all, or gives the person a file. */
async function finish() {
  showProgress();
  if (!records.of("end").length) {
    records.add("end", { reloads: records.state.reloads });
  }
  if (!records.transport) {
    do {
      await offerFile(texts["end-title"]);
      await show(texts["end-title"], paragraphs(texts.saved), texts.anew);
    } while (!confirm(texts.forget));
    records.forget();
    location.reload();
    return;
  }
  records.changed = () => {};
  notice.hidden = true;
  let counted = 0;
  const watch = setInterval(() => {
    if (records.refused) {
      clearInterval(watch);
      void offerFile(texts["sending-title"]).then(() => show(texts["end-title"], paragraphs(texts.saved)));
    } else if (records.left && records.left !== counted) {
      counted = records.left;
      void show(texts["sending-title"], paragraphs(texts.sending, { left: counted }));
    }
  }, 500);
  await records.complete();
  clearInterval(watch);
  if (withdrawn) {
    return;
  }
  records.state.finished = true;
  records.state.records = [];
  records.state.acknowledged = 0;
  records.save();
  const leave = study.leave ? [element("p", {}, element("a", { class: "next", href: study.leave }, texts.leave))] : [];
  void show(texts["end-title"], [...paragraphs(texts.end), ...leave]);
  if (records.transport === toJatos) {
    document.getElementById("withdraw").hidden = true; // JATOS closes the session
    await jatos.endStudyWithoutRedirect();
  }
}

/** Deletes the session here and on the server, and says so when both are done. */
async function withdraw() {
  withdrawn = true;
  document.getElementById("withdraw").hidden = true;
  showProgress();
  stage.replaceChildren();
  if (records?.transport === toJatos) {
    records.forget();
    await jatos.abortStudyWithoutRedirect();
  } else if (records?.transport) {
    if (records.of("withdrawn").length) {
      records.send();
    } else {
      records.withdraw();
    }
    if (records.left) {
      void show(texts["withdrawn-title"], paragraphs(texts["withdrawn-waiting"]));
    }
    await records.complete();
    records.forget();
  } else {
    records?.forget();
  }
  notice.hidden = true;
  void show(texts["withdrawn-title"], paragraphs(texts.withdrawn));
}

/** Warns before the page is left where the browser has kept nothing. */
function guardLeaving() {
  window.addEventListener("beforeunload", (event) => {
    if (records && !records.stored && records.left) {
      event.preventDefault();
    }
  });
}

/** Lets the person withdraw at any time, after a question. */
function offerWithdrawal() {
  const dialog = document.getElementById("really");
  document.getElementById("withdraw").addEventListener("click", () => dialog.showModal());
  document.getElementById("stay").addEventListener("click", () => dialog.close());
  document.getElementById("delete").addEventListener("click", () => {
    dialog.close();
    current?.abortExperiment();
    void withdraw();
  });
}

/** Resolves to false if another window of this browser runs the experiment; browsers without locks are not asked. */
function alone() {
  if (!navigator.locks) {
    return true;
  }
  return new Promise((resolve) => {
    void navigator.locks.request(KEY, { ifAvailable: true }, (lock) => {
      resolve(Boolean(lock));
      return lock && new Promise(() => {});
    });
  });
}

/** Runs a data-only simulation of a list, from consent to end; resolves to the records, none of which is sent or kept. */
async function simulate(list) {
  await play(consent(), "data-only");
  const session = new Records("", Records.fresh(list), null, () => {});
  session.add("start", { reloads: 0 });
  await play(remaining(session), "data-only");
  session.add("end", { reloads: 0 });
  return session.state.records;
}

/** Runs the experiment: a session of this browser goes on where it stopped, else a new one begins with the consent. */
async function main() {
  offerWithdrawal();
  guardLeaving();
  if (!(await alone())) {
    void show(texts.title, paragraphs(texts["other-window"]));
    return;
  }
  let state = Records.saved(KEY);
  if (state?.finished) {
    document.getElementById("withdraw").hidden = true;
    await show(texts["again-title"], paragraphs(texts.again), texts.anew);
    document.getElementById("withdraw").hidden = false;
    state = null;
  }
  if (!state) {
    await play(consent());
    if (withdrawn) {
      return;
    }
    state = Records.fresh(0);
  } else {
    state.reloads += 1;
  }
  const { transport, list } = await reach(state.session);
  if (withdrawn) {
    return;
  }
  state.list ||= list ?? ownList();
  records = new Records(KEY, state, transport, showState);
  if (state.records.some((record) => record.record === "withdrawn")) {
    await withdraw();
    return;
  }
  records.add("start", { reloads: state.reloads });
  const timeline = remaining(records);
  if (timeline.length) {
    await play(timeline);
  }
  if (!withdrawn) {
    await finish();
  }
}

globalThis.winoforge = { study, simulate };
if (!new URLSearchParams(location.search).has("simulate")) {
  void main();
}
