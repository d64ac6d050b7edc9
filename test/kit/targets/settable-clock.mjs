// Lets the clock of a Node program be set from outside: `node --import settable-clock.mjs …` with CONTRACT_CLOCK_URL. A POST of
// `{"now": <Unix ms>}` there sets it, and it goes on from then. Timers keep their own time.
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

if (isMainThread) {
  createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      offset = JSON.parse(body).now - realNow();
      response.writeHead(204).end();
    });
  })
    .listen(Number(port), hostname)
    .unref();
}
