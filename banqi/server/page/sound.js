// Short sounds, made as they are played: no files. Nothing sounds before the user has done something.

/** @typedef {"flip"|"step"|"capture"|"turn"|"end"} SoundName */

// Each sound is a row of tones: when it begins and how long it lasts in seconds, its pitch in Hz at both ends, its
// shape.
const TONES = {
  flip: [[0, 0.05, 900, 500, "triangle"], [0.05, 0.06, 420, 300, "triangle"]],
  step: [[0, 0.07, 260, 180, "sine"]],
  capture: [[0, 0.05, 340, 200, "square"], [0.04, 0.12, 150, 80, "sine"]],
  turn: [[0, 0.09, 587, 587, "sine"], [0.1, 0.14, 784, 784, "sine"]],
  end: [[0, 0.16, 523, 523, "sine"], [0.16, 0.16, 659, 659, "sine"], [0.32, 0.3, 784, 784, "sine"]],
};
const LOUDNESS = 0.12;

/** Sounds that can be switched off by `on`. */
export class Sound {
  on = true;
  /** @type {AudioContext|null} */
  #context = null;

  /** @param {EventTarget} [target] where the first thing that the user does is noticed */
  constructor(target = window) {
    const begin = () => {
      for (const name of ["pointerup", "keydown"]) target.removeEventListener(name, begin, true);
      if (window.AudioContext) this.#context = new AudioContext();
    };
    for (const name of ["pointerup", "keydown"]) target.addEventListener(name, begin, true);
  }

  /** @param {SoundName} name */
  play(name) {
    const context = this.#context;
    if (!this.on || context === null) return;
    if (context.state === "suspended") context.resume();
    for (const [begin, length, from, to, shape] of TONES[name]) {
      const [start, end] = [context.currentTime + begin, context.currentTime + begin + length];
      const tone = new OscillatorNode(context, { type: shape, frequency: from });
      const volume = new GainNode(context, { gain: 0 });
      tone.frequency.exponentialRampToValueAtTime(to, end);
      volume.gain.setValueAtTime(0, start);
      volume.gain.linearRampToValueAtTime(LOUDNESS, start + 0.008);
      volume.gain.exponentialRampToValueAtTime(0.0001, end);
      tone.connect(volume).connect(context.destination);
      tone.start(start);
      tone.stop(end);
    }
  }
}

/**
 * What an action sounds like.
 * @param {string} move as people write it
 * @param {{captures: boolean}} what
 * @returns {SoundName}
 */
export function soundOf(move, { captures }) {
  if (captures) return "capture";
  return move.includes("(") ? "flip" : "step";
}
