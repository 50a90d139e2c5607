/**
 * Loaded before a service (`--import`): its wall clock is off by as many milliseconds as the file of `LINTEL_TEST_CLOCK`
 * says for it, `{ "data": 3600000 }`, or for all, `{ "all": -600000 }`. The file is looked at all the time. Timers and
 * `performance.now()` run as ever, as they do where somebody sets the clock of a machine.
 */
import { readFileSync } from 'node:fs';

const file = process.env.LINTEL_TEST_CLOCK;
const service = /services\/(\w+)\//.exec(process.argv[1] ?? '')?.[1] ?? '';
const RealDate = Date;
let offsetMs = 0;

function look() {
  try {
    const offsets = JSON.parse(readFileSync(file, 'utf8'));
    offsetMs = offsets[service] ?? offsets.all ?? 0;
  } catch {
    // It is being written: what it said before holds for a moment longer.
  }
}

class ShiftedDate extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(RealDate.now() + offsetMs);
    else super(...values);
  }
  static now() {
    return RealDate.now() + offsetMs;
  }
}

if (file !== undefined) {
  look();
  setInterval(look, 20).unref();
  globalThis.Date = ShiftedDate;
}
