"use strict";

/** Longest pause between two attempts to send a record, in milliseconds. */
const MAX_PAUSE = 30000;
/** Statuses of HTTP after which the same record may be accepted later. */
const TEMPORARY = [408, 425, 429];

/** An answer of the server that says that it will never take a record. */
class RefusedError extends Error {}

/**
 * The records of a session: kept on this device, sent one after another, in order, until each is acknowledged.
 *
 * @property {object} state what is kept: session, list, records, acknowledged (how many the server has), reloads, finished
 * @property {number} failures how many attempts in a row have failed
 * @property {boolean} refused whether the server will not take the next record
 * @property {boolean} stored whether this browser keeps the state over a reload
 */
class Records {
  /**
   * @param {string} key name of the state in the browser's storage; empty to keep it in memory only
   * @param {object} state the state to begin with
   * @param {?function(object[], number): Promise} transport sends records; the number says how many of them were sent before.
   *   Resolves to how many the server has now. Null where nothing can be sent.
   * @param {function(Records)} changed called after each change
   */
  constructor(key, state, transport, changed) {
    Object.assign(this, { key, state, transport, changed, failures: 0, refused: false, stored: true });
    this.sending = null;
    this.wake = () => {};
    window.addEventListener("online", () => this.wake());
  }

  /** Returns the state that this browser has kept, null if it has none or it cannot be read. */
  static saved(key) {
    try {
      const state = JSON.parse(localStorage.getItem(key));
      return state && Array.isArray(state.records) ? state : null;
    } catch {
      return null;
    }
  }

  /** Returns the state of a new session. */
  static fresh(list) {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    const session = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return { session, list, records: [], acknowledged: 0, sequence: 0, reloads: 0, finished: false };
  }

  /** How many records the server does not have. */
  get left() {
    return this.state.records.length - this.state.acknowledged;
  }

  /** Returns the data of all records of a kind. */
  of(kind) {
    return this.state.records.filter((record) => record.record === kind).map((record) => record.data);
  }

  /** Keeps a record and begins to send it. */
  add(kind, data = {}) {
    const { session, list, sequence } = this.state;
    this.state.records.push({ session, list, record: kind, sequence, data });
    this.state.sequence += 1;
    this.save();
    this.send();
  }

  /** Deletes all records but that of the withdrawal, which is still to be sent. */
  withdraw() {
    this.state.records = [];
    this.state.acknowledged = 0;
    this.refused = false;
    this.add("withdrawn");
    this.wake();
  }

  /** Writes the state to the browser's storage. */
  save() {
    if (this.key) {
      try {
        localStorage.setItem(this.key, JSON.stringify(this.state));
      } catch {
        this.stored = false;
      }
    }
    this.changed(this);
  }

  /** Deletes the state from the browser's storage. */
  forget() {
    try {
      localStorage.removeItem(this.key);
    } catch {
      this.stored = false;
    }
    this.key = "";
  }

  /** Sends what the server does not have; one loop at a time. */
  send() {
    if (this.transport && !this.sending) {
      this.sending = this.loop().finally(() => {
        this.sending = null;
      });
    }
  }

  async loop() {
    while (this.left > 0 && !this.refused) {
      const { records, acknowledged } = this.state;
      try {
        const present = await this.transport(records, acknowledged);
        if (records === this.state.records) {
          this.state.acknowledged = present;
        }
        this.failures = 0;
      } catch (error) {
        this.failures += 1;
        this.refused = error instanceof RefusedError && records === this.state.records;
      }
      this.save();
      if (this.failures && !this.refused) {
        await this.pause();
      }
    }
  }

  /** Waits longer after each failure, and no longer once the device is online again. */
  pause() {
    const time = Math.min(MAX_PAUSE, 500 * 2 ** (this.failures - 1));
    return new Promise((resolve) => {
      this.wake = resolve;
      setTimeout(resolve, time);
    });
  }

  /** Resolves when the server has all records; never where nothing can be sent. */
  async complete() {
    while (this.left > 0 || !this.transport) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Returns all records as JSON Lines. */
  text() {
    return this.state.records.map((record) => `${JSON.stringify(record)}\n`).join("");
  }
}

/** Sends the first record that the laboratory's server does not have. */
async function toServer(records, acknowledged) {
  const answer = await fetch("api/records", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(records[acknowledged]),
    keepalive: true,
  });
  if (answer.status >= 400 && answer.status < 500 && !TEMPORARY.includes(answer.status)) {
    throw new RefusedError(String(answer.status));
  }
  if (!answer.ok) {
    throw new Error(String(answer.status));
  }
  return acknowledged + 1;
}

/** Gives JATOS all records, which replace those that it has. */
async function toJatos(records) {
  const number = records.length;
  await jatos.submitResultData(records.map((record) => JSON.stringify(record)).join("\n"));
  return number;
}
