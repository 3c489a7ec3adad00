"use strict";

/** A key or a click sooner than this, in milliseconds, was meant for the screen before. */
const GUARD = 200;
const { ParameterType } = jsPsychModule;

/** Returns an element with attributes and children; a child that is a string becomes text. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) {
      made.setAttribute(key, "");
    } else if (value !== false) {
      made.setAttribute(key, value);
    }
  }
  made.append(...children);
  return made;
}

/** Returns a paragraph for each part of a text between blank lines. */
function paragraphs(text, values = {}) {
  const filled = text.replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all));
  return filled.split(/\n\s*\n/).map((part) => element("p", {}, part.replace(/\s+/g, " ").trim()));
}

/** Returns a sentence with a mark in its gap, or with a word in the mark. */
function sentence(text, word, name) {
  const [left, right] = text.split("___");
  const capital = /(^|[.!?]\s*[»“"]?)$/.test(left.trimEnd());
  const shown = capital && word ? word[0].toUpperCase() + word.slice(1) : word;
  const gap = word
    ? element("strong", { class: "gap filled" }, shown)
    : element("span", { class: "gap", role: "img", "aria-label": name });
  return element("p", { class: "sentence", id: "sentence", tabindex: "-1", lang: document.documentElement.lang }, left, gap, right);
}

/** Returns how a click was made: by a mouse, a touch, or a key on a button that has the focus. */
function inputOf(event) {
  if (event.detail === 0 || event.pointerType === "") {
    return "keyboard";
  }
  return ["touch", "pen"].includes(event.pointerType) ? "touch" : "mouse";
}

/** A screen with a sentence, a question and buttons, each with its key. jsPsych calls this a plugin. */
class ChoicePlugin {
  static info = {
    name: "choice",
    version: "1.0.0",
    parameters: {
      text: { type: ParameterType.STRING },
      word: { type: ParameterType.STRING, default: "" },
      gap: { type: ParameterType.STRING },
      question: { type: ParameterType.STRING },
      choices: { type: ParameterType.STRING, array: true },
      ends: { type: ParameterType.STRING, array: true, default: [] },
      keys: { type: ParameterType.BOOL, default: true },
    },
    data: {
      response: { type: ParameterType.STRING },
      rt: { type: ParameterType.INT },
      input: { type: ParameterType.STRING },
    },
  };

  constructor(jsPsych) {
    this.jsPsych = jsPsych;
  }

  trial(display, trial) {
    const shown = performance.now();
    let began = shown;
    requestAnimationFrame(() => {
      began = performance.now();
    });
    const finish = (response, input) => {
      const now = performance.now();
      if (now - shown < GUARD) {
        return;
      }
      document.removeEventListener("keydown", onKey);
      this.jsPsych.finishTrial({ response, input, rt: Math.max(1, Math.round(now - began)) });
    };
    const onKey = (event) => {
      if (!group.isConnected) { // the person has withdrawn
        document.removeEventListener("keydown", onKey);
        return;
      }
      const place = trial.choices.findIndex((_, number) => event.key === String(number + 1));
      const modified = event.repeat || event.ctrlKey || event.altKey || event.metaKey;
      if (place >= 0 && !modified && !document.querySelector("dialog[open]")) {
        event.preventDefault();
        finish(trial.choices[place], "keyboard");
      }
    };
    const buttons = trial.choices.map((choice, number) => {
      const key = trial.keys ? [element("kbd", { "aria-hidden": "true" }, String(number + 1))] : [];
      const end = trial.ends.length ? { 0: trial.ends[0], [trial.choices.length - 1]: trial.ends[1] }[number] : "";
      const button = element("button", { type: "button", class: "choice", "aria-keyshortcuts": String(number + 1) },
        element("span", { class: "word" }, choice), ...key);
      if (end) {
        button.setAttribute("aria-label", `${choice}, ${end}`);
      }
      button.addEventListener("click", (event) => finish(choice, inputOf(event)));
      return button;
    });
    const ends = trial.ends.length
      ? [element("p", { class: "ends", "aria-hidden": "true" }, ...trial.ends.map((end) => element("span", {}, end)))]
      : [];
    const group = element("div", { role: "group", "aria-labelledby": "question", class: "answers" },
      element("p", { id: "question" }, trial.question),
      element("div", { class: trial.ends.length ? "choices scale" : "choices" }, ...buttons),
      ...ends);
    display.replaceChildren(sentence(trial.text, trial.word, trial.gap), group);
    display.querySelector("#sentence").focus({ preventScroll: true });
    window.scrollTo(0, 0);
    document.addEventListener("keydown", onKey);
  }

  simulate(trial, mode, options, loaded) {
    const random = this.jsPsych.randomization;
    const data = this.jsPsych.pluginAPI.mergeSimulationData({
      response: trial.choices[random.randomInt(0, trial.choices.length - 1)],
      rt: Math.round(GUARD + random.sampleExGaussian(800, 200, 1 / 400, true)),
      input: "keyboard",
    }, options);
    if (mode === "data-only") {
      loaded();
      this.jsPsych.finishTrial(data);
    } else {
      this.trial(this.jsPsych.getDisplayElement(), trial);
      loaded();
      this.jsPsych.pluginAPI.pressKey(String(trial.choices.indexOf(data.response) + 1), Math.max(data.rt, 2 * GUARD));
    }
  }
}

/** A screen of text with a button, and sometimes questions or boxes that must be answered first. */
class TextPlugin {
  static info = {
    name: "text",
    version: "1.0.0",
    parameters: {
      title: { type: ParameterType.STRING, default: "" },
      body: { type: ParameterType.COMPLEX, default: [] },
      questions: { type: ParameterType.COMPLEX, default: [] },
      boxes: { type: ParameterType.STRING, array: true, default: [] },
      missing: { type: ParameterType.STRING, default: "" },
      choose: { type: ParameterType.STRING, default: "" },
      button: { type: ParameterType.STRING },
    },
    data: { response: { type: ParameterType.OBJECT } },
  };

  constructor(jsPsych) {
    this.jsPsych = jsPsych;
  }

  trial(display, trial) {
    const fields = trial.questions.map(({ name, text, answers }) =>
      element("p", { class: "field" },
        element("label", { for: name }, text),
        element("select", { id: name, name, required: true },
          element("option", { value: "" }, trial.choose),
          ...Object.entries(answers).map(([value, label]) => element("option", { value }, label)))));
    const boxes = trial.boxes.map((label, number) =>
      element("label", { class: "box" },
        element("input", { type: "checkbox", name: `box-${number}`, required: true }),
        element("span", {}, label)));
    const fault = element("p", { class: "fault", role: "alert" });
    const form = element("form", { novalidate: true }, ...fields, ...boxes, fault,
      element("button", { type: "submit", class: "next" }, trial.button));
    const heading = trial.title ? [element("h2", { tabindex: "-1" }, trial.title)] : [];
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      for (const field of form.querySelectorAll("[required]")) {
        field.setAttribute("aria-invalid", String(!field.validity.valid));
      }
      if (form.checkValidity()) {
        const response = Object.fromEntries(trial.questions.map(({ name }) => [name, form.elements[name].value]));
        this.jsPsych.finishTrial({ response });
      } else {
        fault.textContent = trial.missing;
        form.querySelector(":invalid").focus();
      }
    });
    display.replaceChildren(...heading, ...trial.body, form);
    (heading[0] ?? form.querySelector("button")).focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }

  simulate(trial, mode, options, loaded) {
    const response = Object.fromEntries(
      trial.questions.map(({ name, answers }) => {
        const values = Object.keys(answers);
        return [name, values[this.jsPsych.randomization.randomInt(0, values.length - 1)]];
      }));
    loaded();
    this.jsPsych.finishTrial({ response });
  }
}
