// Lets the clock of a Node program be set from outside: `node --import settable-clock.mjs …` with CONTRACT_CLOCK_URL. A POST of
// `{"now": <Unix ms>}` there sets it, and it goes on from then. Timers of a minute or more run as soon as it has passed their time, as the jobs of a
// server do; shorter ones keep their own.
import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';

const { port, hostname } = new URL(process.env['CONTRACT_CLOCK_URL'] ?? 'http://127.0.0.1:0');
const RealDate = Date;
const realNow = RealDate.now;
let offset = 0;

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(realNow() + offset);
    else super(...given);
  }

  static now() {
    return realNow() + offset;
  }
};

const realSetTimeout = globalThis.setTimeout;
const realClearTimeout = globalThis.clearTimeout;
const long = new Map();

globalThis.setTimeout = Object.defineProperties((callback, ms, ...given) => {
  if (!(ms >= 60_000)) return realSetTimeout(callback, ms, ...given);
  const run = () => {
    long.delete(timer);
    callback(...given);
  };
  const timer = realSetTimeout(run, ms);
  long.set(timer, { at: realNow() + offset + ms, ms, run });
  return timer;
}, Object.getOwnPropertyDescriptors(realSetTimeout));

globalThis.clearTimeout = (timer) => {
  long.delete(timer);
  realClearTimeout(timer);
};

/** Runs the timers whose time has passed. */
function runPassed() {
  const now = realNow() + offset;
  for (const [timer, known] of long) {
    // When the clock is set back, none waits longer than it was to wait.
    known.at = Math.min(known.at, now + known.ms);
    if (known.at > now) continue;
    realClearTimeout(timer);
    known.run();
  }
}

if (isMainThread) {
  createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      offset = JSON.parse(body).now - realNow();
      runPassed();
      response.writeHead(204).end();
    });
  })
    .listen(Number(port), hostname)
    .unref();
}
