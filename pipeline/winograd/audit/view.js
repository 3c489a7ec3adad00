"use strict";
// The index of a collection's records, and the view of one. All data become text nodes, never markup.
(() => {
  const PAGE = 50;
  const MEANINGS = {
    state: "In the end", change: "Change", class: "By the rules", mark: "Marked", rule: "Rejected by", near: "Nearly rejected by",
    kind: "Kind", role: "Role", register: "Register", unmade: "Without form", answered: "Answered",
  };
  const FIRST = new Set(["state", "change", "class", "mark"]);
  const parts = new Map(); // file name: its value, or a promise of it
  let index;

  // --- loading ------------------------------------------------------------------------------------------------------------

  window.winoforge = (kind, number, value) => parts.set(`${kind}-${number}`, value);

  const load = (kind, number) => {
    const key = `${kind}-${number}`;
    if (!parts.has(key))
      parts.set(key, new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = `data/${kind === "index" ? kind : key}.js`;
        script.onload = () => { script.remove(); resolve(parts.get(key)); };
        script.onerror = () => reject(new Error(`${script.src} cannot be read`));
        document.head.append(script);
      }));
    return parts.get(key);
  };
  const part = async (kind, place) => {
    const size = index.sizes[kind];
    return (await load(kind, Math.floor(place / size)))[place % size];
  };

  // --- elements -----------------------------------------------------------------------------------------------------------

  const visible = text => String(text).replace(index.invisible, sign =>
    sign === "\n" || sign === "\t" ? sign : `⟨U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
  const add = (parent, children) => {
    for (const child of children.flat(Infinity))
      if (child !== null && child !== undefined && child !== false)
        parent.append(child instanceof Node ? child : visible(child));
    return parent;
  };
  const element = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return add(made, children);
  };
  const svg = (tag, attributes, ...children) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return add(made, children);
  };
  const badge = (text, kind = "") => element("span", {class: `badge ${kind}`}, text);
  const words = (lang, ...children) => element("bdi", {lang}, ...children);
  const kindOf = state => state === "kept" ? "good" : "critical";
  const READ = new Set(["disputed", "uncertain"]); // what the audit asks people to read
  const markBadge = mark => [badge(mark, READ.has(mark) ? "warning" : ""), " "];

  // Spans are (start, end, class, label) in code points; an empty one is a zero.
  const marked = (lang, text, spans) => {
    const signs = Array.from(text);
    const ends = [...new Set([0, signs.length, ...spans.flatMap(([start, end]) => [start, end])])].sort((a, b) => a - b);
    return words(lang, ends.map((start, place) => {
      const end = ends[place + 1] ?? start;
      const zeros = spans.filter(span => span[0] === start && span[1] === start);
      const over = spans.filter(span => span[0] <= start && end <= span[1] && start < end);
      const piece = signs.slice(start, end).join("");
      const labels = over.filter(span => span[1] === end).map(span => span[3]).join("");
      return [
        zeros.map(() => element("mark", {class: "zero"}, "Ø")),
        over.length ? element("mark", {class: over.map(span => span[2]).join(" ")}, piece, labels && element("sup", {}, labels)) : piece,
      ];
    }));
  };
  const letter = place => String.fromCharCode(65 + place);

  // --- the index ----------------------------------------------------------------------------------------------------------

  const asked = () => new URLSearchParams(location.hash.slice(1));

  const startIndex = () => {
    const form = document.getElementById("filter");
    const total = index.ids.length;
    for (const [facet, sets] of index.facets) {
      if (sets.length < 2) continue; // the same of all records
      const select = element("select", {name: facet}, element("option", {value: ""}, "all"));
      const values = [...new Set(sets.flat())].sort();
      for (const value of values) select.append(element("option", {value}, value));
      const more = form.querySelector("details");
      const label = element("label", {}, MEANINGS[facet] ?? facet, select);
      if (FIRST.has(facet)) form.insertBefore(label, form.querySelector("button")); else more.lastElementChild.append(label);
    }
    form.querySelector("details").hidden = !form.querySelector("details select");
    let search = {find: "", fits: null, done: true};
    let turn = 0;

    // The number of filters that a record fails: 0 for those shown; with 1, it counts in the facet that it fails.
    const count = wanted => {
      const failed = new Uint8Array(total), last = new Uint8Array(total);
      index.facets.forEach(([facet, sets, codes], number) => {
        const value = wanted.get(facet);
        if (!value) return;
        const fits = sets.map(set => set.includes(value));
        for (let place = 0; place < total; place++)
          if (!fits[codes[place]]) { failed[place]++; last[place] = number; }
      });
      if (search.fits)
        for (let place = 0; place < total; place++) if (!search.fits[place]) failed[place] = 99;
      index.facets.forEach(([facet, sets, codes], number) => {
        const counts = new Map(), inSets = new Uint32Array(sets.length);
        for (let place = 0; place < total; place++)
          if (!failed[place] || (failed[place] === 1 && last[place] === number)) inSets[codes[place]]++;
        sets.forEach((set, code) => set.forEach(value => counts.set(value, (counts.get(value) ?? 0) + inSets[code])));
        for (const option of form.elements[facet]?.options ?? [])
          if (option.value) option.textContent = `${visible(option.value)} (${(counts.get(option.value) ?? 0).toLocaleString("en")})`;
      });
      const shown = [];
      for (let place = 0; place < total; place++) if (!failed[place]) shown.push(place);
      return shown;
    };

    const draw = async (wanted, searched) => {
      const mine = ++turn;
      const shown = count(wanted);
      const last = Math.max(1, Math.ceil(shown.length / PAGE));
      const page = Math.min(Math.max(1, Number(wanted.get("page")) || 1), last);
      const places = shown.slice((page - 1) * PAGE, page * PAGE);
      const rows = await Promise.all(places.map(place => part("rows", place)));
      if (mine !== turn) return;
      const facets = new Map(index.facets.map(([facet, sets, codes]) => [facet, place => sets[codes[place]]]));
      const of = (facet, place) => facets.get(facet)?.(place) ?? [];
      document.querySelector("#records tbody").replaceChildren(...places.map((place, number) => {
        const [lang, text, target, candidates, answer, gloss] = rows[number];
        const id = index.ids[place];
        const state = of("state", place)[0];
        return element("tr", {},
          element("th", {scope: "row"}, element("a", {href: `record.html#${encodeURIComponent(id)}`}, id)),
          element("td", {},
            element("div", {class: "sentence"}, marked(lang, text, target ? [[...target, "target", ""]] : [])),
            element("div", {class: "soft"}, words(lang, answer === null ? candidates.join(" / ") : candidates[answer]), gloss && ` · ${gloss}`)),
          element("td", {},
            state && [badge(state === "kept" ? "kept" : of("class", place)[0] === "kept" ? "rejected" : of("class", place)[0], kindOf(state)), " "],
            of("change", place).map(change => [badge(change, "warning"), " "]), of("mark", place).map(markBadge)));
      }));
      document.getElementById("records").hidden = !shown.length;
      document.getElementById("shown").textContent =
        `${shown.length.toLocaleString("en")} of ${total.toLocaleString("en")} records${searched < 1 ? `, ${Math.round(100 * searched)} % searched` : ""}`;
      document.getElementById("page").textContent = `page ${page} of ${last.toLocaleString("en")}`;
      for (const [name, to] of [["back", page - 1], ["forth", page + 1]]) {
        const button = document.getElementById(name);
        button.disabled = to < 1 || to > last;
        button.onclick = () => { go({page: to > 1 ? to : ""}); scrollTo(0, 0); };
      }
      document.getElementById("pages").hidden = last === 1;
    };

    const find = async wanted => {
      const text = (wanted.get("find") ?? "").trim().toLowerCase();
      if (text === search.find) return search.done; // a search that still goes on draws what it finds
      const mine = {find: text, fits: text ? new Uint8Array(total) : null, done: !text};
      search = mine;
      if (!text) return true;
      const rules = index.facets.filter(([facet]) => facet === "rule" || facet === "near")
        .map(([, sets, codes]) => [sets.map(set => set.some(rule => rule.toLowerCase().includes(text))), codes]);
      for (let start = 0; start < total; start += index.sizes.rows) {
        const rows = await load("rows", start / index.sizes.rows);
        if (search !== mine) return false;
        rows.forEach(([, sentence, , candidates, , gloss, before], offset) => {
          const place = start + offset;
          mine.fits[place] = [index.ids[place], sentence, gloss, before, ...candidates].some(field => field.toLowerCase().includes(text))
            || rules.some(([fits, codes]) => fits[codes[place]]);
        });
        if (start && start % (20 * index.sizes.rows) === 0) await draw(asked(), start / total);
      }
      mine.done = true;
      return search === mine;
    };

    const show = async () => {
      const wanted = asked();
      if ([...wanted.keys()].some(facet => facet in MEANINGS && !FIRST.has(facet))) form.querySelector("details").open = true;
      for (const field of form.elements)
        if (field.name && field.value !== (wanted.get(field.name) ?? "")) field.value = wanted.get(field.name) ?? "";
      if (await find(wanted)) await draw(asked(), 1);
    };
    const go = changes => {
      const wanted = asked();
      for (const [name, value] of Object.entries(changes)) value ? wanted.set(name, value) : wanted.delete(name);
      const hash = `#${wanted}`;
      if (hash === location.hash) return;
      history.replaceState(null, "", hash);
      show().catch(fail);
    };
    form.addEventListener("input", event => go({[event.target.name]: event.target.value, page: ""}));
    form.addEventListener("submit", event => event.preventDefault());
    form.addEventListener("reset", event => {
      event.preventDefault(); // the address fills the form
      go(Object.fromEntries([...asked().keys()].map(name => [name, ""])));
    });
    addEventListener("hashchange", () => show().catch(fail));
    form.hidden = false;
    return show();
  };

  // --- one record ---------------------------------------------------------------------------------------------------------

  // English with words of another language in it; those in Chinese characters are told apart.
  const mixed = (lang, text) => element("bdi", {}, lang.startsWith("zh")
    ? String(text).split(/(\p{Script=Han}[\p{Script=Han}，、。；：？！“”]*)/u).map((piece, number) => number % 2 ? words(lang, piece) : piece) : text);
  const shown = (lang, value) => Array.isArray(value) ? value.length ? value.map((inner, place) => [place ? ", " : "", shown(lang, inner)]) : "none"
    : value === null ? "none" : value === true ? "yes" : value === false ? "no"
    : typeof value === "object" ? Object.entries(value).map(([key, inner], place) => [place ? "; " : "", `${key}: `, shown(lang, inner)])
    : mixed(lang, value);
  const facts = pairs => element("dl", {}, pairs.filter(([, ...value]) => value.flat(Infinity).some(inner => inner || inner === 0))
    .map(([term, ...value]) => [element("dt", {}, term), element("dd", {}, ...value)]));
  const section = (title, ...children) => children.flat(Infinity).some(Boolean) ? [element("h2", {}, title), ...children] : [];
  const folded = (summary, ...children) => element("details", {}, element("summary", {}, summary), ...children);
  const table = (label, lang, rows) => {
    const columns = [...new Set(rows.flatMap(row => Object.keys(row)))];
    return element("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": label}, element("table", {},
      element("thead", {}, element("tr", {}, columns.map(column => element("th", {scope: "col"}, column.replaceAll("_", " "))))),
      element("tbody", {}, rows.map(row => element("tr", {}, columns.map(column =>
        element("td", {class: String(row[column] ?? "").length > 20 ? "long" : ""}, column in row ? shown(lang, row[column]) : "")))))));
  };

  const drawTree = (lang, {parser, words: tokens, target, rules}, open) => {
    const widths = tokens.map(([form, tag, , relation]) =>
      Math.max(17 * [...form].reduce((sum, sign) => sum + (sign.codePointAt(0) > 0x2e7f ? 1 : .6), 0), 8 * tag.length, 7 * relation.length) + 22);
    const middles = widths.map((width, place) => widths.slice(0, place).reduce((sum, other) => sum + other, 0) + width / 2);
    const arcs = tokens.map(([, , head, relation], place) => ({place, head, relation, from: Math.min(place, head), to: Math.max(place, head)}))
      .filter(arc => arc.head >= 0 && arc.head !== arc.place).sort((a, b) => a.to - a.from - (b.to - b.from) || a.from - b.from);
    const tops = new Array(tokens.length).fill(0);
    for (const arc of arcs) { // above all shorter arcs that it crosses
      arc.level = Math.max(...tops.slice(arc.from, arc.to)) + 1;
      tops.fill(arc.level, arc.from, arc.to);
    }
    const base = 22 * Math.max(1, ...arcs.map(arc => arc.level)) + 14, width = widths.reduce((sum, other) => sum + other, 0), height = base + 52;
    const told = tokens.map(([form, tag, head, relation]) => `${form} ${tag}, ${relation}${head < 0 ? "" : ` of ${tokens[head][0]}`}`).join("; ");
    const drawing = svg("svg", {role: "img", "aria-label": visible(told), width, height, viewBox: `0 0 ${width} ${height}`},
      svg("rect", {class: "box", x: middles[target] - widths[target] / 2 + 4, y: base + 4, width: widths[target] - 8, height: 44, rx: 6}),
      arcs.map(({place, head, relation, level}) => {
        const y = base - 22 * level, [start, end] = [middles[head] + (place < head ? -6 : 6), middles[place]], turn = start < end ? 5 : -5;
        return [
          svg("path", {class: "head", d: `M${start},${base} V${y + 5} Q${start},${y} ${start + turn},${y} H${end - turn} Q${end},${y} ${end},${y + 5} V${base}`}),
          svg("path", {class: "arrow", d: `M${end},${base + 3} l-4,-8 h8 Z`}),
          svg("text", {x: (start + end) / 2, y: y - 3, "font-size": 12}, relation),
        ];
      }),
      tokens.map(([form, tag], place) => [
        svg("text", {class: place === target ? "target" : "", x: middles[place], y: base + 24, "font-size": 17, lang}, form),
        svg("text", {class: place === target ? "target" : "", x: middles[place], y: base + 42, "font-size": 12}, tag),
      ]));
    const frame = element("div", {class: "scroll tree", tabindex: 0, role: "region", "aria-label": `Tree by ${parser}`}, drawing);
    const view = element("details", {}, element("summary", {}, "Tree by ", element("code", {}, parser), ": ",
      rules?.length ? rules.map((rule, place) => [place ? ", " : "", element("code", {}, rule)]) : "no rule matches, keep"), frame);
    view.open = Boolean(open);
    view.addEventListener("toggle", () => { frame.scrollLeft = middles[target] - frame.clientWidth / 2; });
    return view;
  };

  const showRecord = async () => {
    const hash = location.hash, id = decodeURIComponent(hash.slice(1)), place = index.ids.indexOf(id);
    const whole = document.getElementById("record");
    const link = (to, text) => element("a", {href: `#${encodeURIComponent(to)}`}, text);
    if (place < 0) {
      whole.replaceChildren(element("h1", {tabindex: -1}, id ? `No record ${visible(id)}` : "No record chosen"),
        element("p", {}, "Choose one from the ", element("a", {href: "index.html"}, "index of all records"), "."));
      return;
    }
    const record = await part("records", place), {lang} = record;
    if (hash !== location.hash) return; // another record was chosen before this one was there
    const [before, after] = [index.ids[place - 1], index.ids[place + 1]];
    const candidates = record.candidates ?? [], right = record.answer ?? null;
    const spans = wording => [
      ...(wording.mentions ?? []).map(([start, end, number]) => [start, end, "candidate", letter(number)]),
      ...(wording.target ? [[...wording.target, "target", ""]] : []),
    ];
    const last = record.wordings.at(-1);
    const zero = record.zero && last.target ? [...Array.from(last.text).slice(0, last.target[0]), null, ...Array.from(last.text).slice(last.target[1])] : null;
    document.title = `${visible(id)} · ${document.title.split(" · ").pop()}`;
    whole.replaceChildren();
    add(whole, [
      element("h1", {tabindex: -1}, id),
      element("nav", {class: "neighbours", "aria-label": "Other records"},
        before !== undefined && link(before, `‹ ${before}`), after !== undefined && link(after, `${after} ›`),
        (record.mates ?? []).map(mate => link(mate, `pair: ${mate}`)),
        element("a", {href: "index.html"}, "all records")),
      element("p", {}, record.outcome && [badge(record.outcome === "kept" ? "kept" : `rejected: ${record.outcome}`, kindOf(record.outcome)), " "],
        record.label !== record.outcome && [badge(`by the rules: ${record.label}`), " "], record.change && [badge(record.change[0], "warning"), " "],
        (record.marks ?? []).map(markBadge)),
      ...record.wordings.map((wording, number) => element("div", {},
        record.wordings.length > 1 && element("span", {class: "meaning"}, wording.what),
        element("p", {class: "sentence"}, marked(lang, wording.text, spans(wording))),
        wording.why && element("p", {}, mixed(lang, wording.why)))),
      zero && element("p", {class: "sentence"}, element("span", {class: "meaning"}, "with its zero"),
        words(lang, zero.map(sign => sign ?? element("mark", {class: "zero"}, "Ø")))),
      facts([
        ["Question", record.question && words(lang, record.question)],
        ["Candidates", candidates.length > 0 && element("ol", {class: "candidates", lang}, candidates.map((candidate, number) =>
          element("li", {class: number === right ? "answer" : ""}, element("bdi", {}, candidate), number === right && element("span", {lang: "en"}, " ✓ right")))),
          right === null && element("span", {class: "warn"}, "no right answer")],
        ["Gloss", record.gloss], ["Kind, role, register", [record.kind, record.role, record.register].filter(Boolean).join(", ")], ["Note", record.note && mixed(lang, record.note)],
        ["Uncertain", record.uncertain && ["decided otherwise if ", mixed(lang, record.uncertain.join("; "))]],
        ...(record.people ?? []).map(([term, line]) => [`People ${term}`, mixed(lang, line)]),
      ]),
      ...section("Rules", record.change && element("p", {}, `Before and after: ${visible(record.change[1])}`), (record.findings ?? []).map(finding => element("div", {class: "finding"},
        element("p", {}, element("code", {}, finding.rule), " ", mixed(lang, finding.message)),
        facts(Object.entries(finding.evidence ?? {}).filter(([key]) => key !== "sentence" && key !== "disputed")
          .map(([key, value]) => [key.replaceAll("_", " "), shown(lang, value)])))),
        !record.findings && record.trees && element("p", {}, "No rule matches the tree of the deciding parser."),
        (record.near ?? []).map(([rule, reason]) => element("p", {class: "finding soft"}, "nearly ", element("code", {}, rule), ": ", mixed(lang, reason))),
        (record.marks ?? []).includes("disputed") && element("p", {class: "caution"}, "The parsers dispute it: ",
          (record.trees ?? []).map(({parser, rules}, number) => [number ? "; " : "", element("code", {}, parser), number ? "" : ", which decides,",
            rules?.length ? [" rejects it by ", rules.map((rule, place) => [place ? ", " : "", element("code", {}, rule)])] : " keeps it"]), "."),
        (record.trees ?? []).map((tree, number) => drawTree(lang, tree, !number && record.findings))),
      ...section("Answers of systems", record.answers && table("Answers of systems", lang, record.answers.map(([run, answer, ok]) => ({run, answer, right: ok})))),
      ...section("Readings", record.readings && table("Readings", lang, record.readings)),
      ...section("Forms", Object.entries(record.forms ?? {}).map(([form, rows]) => folded(`${form} (${rows.length})`, table(form, lang, rows))),
        record.unmade && facts(Object.entries(record.unmade).map(([form, reason]) => [`no ${form}`, mixed(lang, reason)]))),
      ...section("Provenance", facts([["Source", record.source], ["Schema", `${record.schema}, version ${record.version}`], ["Language", lang],
        ...Object.entries(index.facts)])),
    ]);
  };

  // --- the pages ----------------------------------------------------------------------------------------------------------

  const fail = error => add(document.querySelector("main"), [element("p", {class: "caution", role: "alert"}, error.message)]);
  index = {invisible: /[]/u};
  load("index", 0).then(value => {
    index = {...value, invisible: new RegExp(value.invisible, "gu")};
    if (document.getElementById("records")) return startIndex();
    addEventListener("hashchange", () => showRecord().then(() => { scrollTo(0, 0); document.querySelector("h1").focus({preventScroll: true}); }).catch(fail));
    return showRecord();
  }).catch(fail);
})();
