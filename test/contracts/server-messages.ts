import assert from 'node:assert/strict';
import type { ServerMessages } from '#adapters/contracts/server-messages.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { nulText, oddTexts } from '#test/contracts/kit/texts.ts';

/** Contract suite of the messaging between servers; `beside` opens another server. */
export function serverMessagesContract<Handle extends Opened<ServerMessages>>(
  runner: Runner,
  subject: Subject<ServerMessages, Handle>,
): void {
  contract<ServerMessages, Handle>(runner, subject, {
    port: 'server messages',
    define: (clause) => {
      clause(
        'MESSAGES-001 delivers any text to another server unchanged',
        async ({ port, beside }) => {
          const ear = new Ear(await beside());
          const texts = [...oddTexts, nulText, '\uD800 alone', '{"v":1,"from":"x","n":1,"texts":[]}', '?, ??, $1, :a'];
          for (const text of texts) port.publish(text);
          assert.deepEqual(await ear.heard(texts.length), texts);
        },
        'processes',
      );

      clause(
        'MESSAGES-002 delivers a text to every other server, including those opened later',
        async ({ port, beside }) => {
          const ears = [new Ear(await beside()), new Ear(await beside())];
          port.publish('to both');
          for (const ear of ears) assert.deepEqual(await ear.heard(1), ['to both']);
          ears.push(new Ear(await beside()));
          port.publish('to all three');
          for (const ear of ears) assert.equal((await ear.heard(1, 'to all three')).at(-1), 'to all three');
        },
        'processes',
      );

      clause(
        'MESSAGES-003 does not deliver a text to the server that published it',
        async ({ port, beside }) => {
          const other = await beside();
          const [own, far] = [new Ear(port), new Ear(other)];
          port.publish('there');
          await far.heard(1);
          other.publish('and back');
          assert.deepEqual(await own.heard(1), ['and back']);
          assert.deepEqual(far.texts, ['there']);
        },
        'processes',
      );

      clause(
        'MESSAGES-004 delivers a server’s texts in order, each once',
        async ({ port, beside }) => {
          const ear = new Ear(await beside());
          const texts = Array.from({ length: 1_000 }, (_, index) => `text ${index}`);
          for (const text of texts.slice(0, 500)) port.publish(text);
          await ear.heard(1);
          for (const text of texts.slice(500)) port.publish(text);
          assert.deepEqual(await ear.heard(1_000), texts);
        },
        'processes',
      );

      clause(
        'MESSAGES-005 delivers equal texts as often as they are published',
        async ({ port, beside }) => {
          const ear = new Ear(await beside());
          for (const text of ['same', 'same', 'same', 'end']) port.publish(text);
          assert.deepEqual(await ear.heard(1, 'end'), ['same', 'same', 'same', 'end']);
        },
        'processes',
      );

      clause(
        'MESSAGES-006 delivers texts of megabytes, in order among short ones',
        async ({ port, beside }) => {
          const ear = new Ear(await beside());
          const texts = ['short', 'x'.repeat(5 << 20), 'short', 'é\u0000"'.repeat(100_000), 'end'];
          for (const text of texts) port.publish(text);
          const heard = await ear.heard(1, 'end');
          assert.deepEqual(
            heard.map(({ length }) => length),
            texts.map(({ length }) => length),
          );
          assert.ok(heard.every((text, index) => text === texts[index]));
        },
        'processes',
      );

      clause(
        'MESSAGES-007 delivers texts of every length around that of a notification',
        async ({ port, beside }) => {
          const ear = new Ear(await beside());
          const lengths = Array.from({ length: 60 }, (_, index) => 7_000 + index * 20);
          const texts = lengths.flatMap((length) => ['x'.repeat(length), '"\\é'.repeat(length / 5)]);
          for (const text of texts) port.publish(text);
          const heard = await ear.heard(texts.length);
          assert.ok(texts.every((text, index) => heard[index] === text));
        },
        'processes',
      );

      clause(
        'MESSAGES-008 delivers texts in both directions concurrently',
        async ({ port, beside }) => {
          const other = await beside();
          const [here, there] = [new Ear(port), new Ear(other)];
          for (let index = 0; index < 200; index++) {
            port.publish(`from here ${index}`);
            other.publish(`from there ${index}`);
          }
          assert.deepEqual(
            await here.heard(200),
            Array.from({ length: 200 }, (_, index) => `from there ${index}`),
          );
          assert.deepEqual(
            await there.heard(200),
            Array.from({ length: 200 }, (_, index) => `from here ${index}`),
          );
        },
        'processes',
      );

      clause(
        'MESSAGES-009 calls every listener, and each as often as it is registered',
        async ({ port, beside }) => {
          const other = await beside();
          const [first, second] = [new Ear(other), new Ear(other)];
          const twice: string[] = [];
          const listener = { heard: (text: string) => void twice.push(text), missed: () => undefined };
          other.listen(listener);
          other.listen(listener);
          port.publish('a');
          for (const ear of [first, second]) assert.deepEqual(await ear.heard(1), ['a']);
          port.publish('b');
          await first.heard(2);
          assert.deepEqual(twice.slice(0, 2), ['a', 'a']);
        },
        'processes',
      );

      clause(
        'MESSAGES-010 no longer calls a listener that has unsubscribed, and still calls the others',
        async ({ port, beside }) => {
          const other = await beside();
          const [leaving, staying] = [new Ear(other), new Ear(other)];
          port.publish('before');
          for (const ear of [leaving, staying]) await ear.heard(1);
          leaving.leave();
          leaving.leave();
          port.publish('after');
          assert.deepEqual(await staying.heard(2), ['before', 'after']);
          assert.deepEqual(leaving.texts, ['before']);
        },
        'processes',
      );

      clause(
        'MESSAGES-011 continues when a listener throws',
        async ({ port, beside }) => {
          const other = await beside();
          other.listen({
            heard: () => {
              throw new Error('a broken listener');
            },
            missed: () => undefined,
          });
          const ear = new Ear(other);
          port.publish('one');
          port.publish('two');
          assert.deepEqual(await ear.heard(2), ['one', 'two']);
        },
        'processes',
      );

      clause('MESSAGES-012 publishes without waiting, and calls no listener before it returns', async ({ port }) => {
        const ear = new Ear(port);
        assert.equal(port.publish('nobody waits for this'), undefined);
        assert.deepEqual(ear.texts, []);
      });

      clause(
        'MESSAGES-013 is not alone once there is another server',
        async ({ port, beside }) => {
          const other = await beside();
          assert.equal(port.isAlone(), false);
          assert.equal(other.isAlone(), false);
        },
        'processes',
      );

      clause(
        'MESSAGES-014 reports no delivered message as possibly missed',
        async ({ port, beside }) => {
          const ear = new Ear(await beside());
          for (let index = 0; index < 50; index++) port.publish(`text ${index}`);
          await ear.heard(50);
          assert.equal(ear.missed, 0);
        },
        'processes',
      );

      clause(
        'MESSAGES-015 settles when nothing was published, and once what was published has been delivered',
        async ({ port, beside }) => {
          const ear = new Ear(await beside());
          await port.settled();
          for (const text of ['a', 'b'.repeat(100_000), 'c']) port.publish(text);
          await port.settled();
          assert.equal((await ear.heard(3)).length, 3);
          await port.settled();
        },
        'processes',
      );

      clause(
        'MESSAGES-016 gives each server its own id, and says which one has ended',
        async ({ port, beside }) => {
          const other = await beside();
          const ids = [port.ownId(), other.ownId()];
          assert.equal(new Set(ids).size, 2);
          for (const id of ids) assert.match(id, /^[\w-]{1,64}$/);
          for (const asked of [port, other]) {
            for (const id of ids) assert.equal(await asked.isGone(id), false);
            await eventually(() => asked.isGone(`${port.ownId()}x`));
            for (const id of ids) assert.equal(await asked.isGone(id), false);
          }
          const later = await beside();
          assert.equal(await port.isGone(later.ownId()), false);
        },
        'processes',
      );

      clause(
        'MESSAGES-901 delivers nothing to a server that is opened later',
        async ({ port, beside }) => {
          const early = new Ear(await beside());
          port.publish('too early');
          await early.heard(1);
          const late = new Ear(await beside());
          port.publish('in time');
          assert.deepEqual(await late.heard(1), ['in time']);
        },
        'processes',
      );

      clause(
        'MESSAGES-902 is alone, if declared to serve one process',
        async ({ port, beside }) => {
          const ear = new Ear(await beside());
          port.publish('to nobody');
          await new Promise((resolve) => {
            setTimeout(resolve, 50);
          });
          assert.deepEqual(ear.texts, []);
          assert.equal(port.isAlone(), true);
        },
        'not processes',
      );
    },
  });
}

/** How long to wait for a text, in ms: long enough for a busy machine; a text that never arrives fails the test. */
const patienceMs = 60_000;

/** Resolves once something has become true, which it does in a few seconds. */
async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  for (const until = Date.now() + patienceMs; !(await isSo()); ) {
    assert.ok(Date.now() < until, 'It has not become true');
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
}

/** A listener that records what it receives. */
class Ear {
  readonly texts: string[] = [];
  missed = 0;
  readonly leave: () => void;
  #onText: () => void = () => undefined;

  constructor(messages: ServerMessages) {
    this.leave = messages.listen({
      heard: (text) => {
        this.texts.push(text);
        this.#onText();
      },
      missed: () => {
        this.missed += 1;
      },
    });
  }

  /** Returns all texts, once the expected number, or the expected number of a named text, has arrived. */
  async heard(count: number, last: string | null = null): Promise<readonly string[]> {
    const isThere = () => this.texts.filter((text) => last === null || text === last).length >= count;
    if (!isThere()) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const timer = setTimeout(
        () => reject(new Error(`Of ${count} texts there came ${JSON.stringify(this.texts).slice(0, 300)}`)),
        patienceMs,
      );
      this.#onText = () => {
        if (isThere()) resolve();
      };
      await promise.finally(() => clearTimeout(timer));
    }
    return [...this.texts];
  }
}
