import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';

const file = 'adapters/memory/memory-server-messages.ts';
const several = 'memory of several';

/** Ways in which messages between servers can be broken. */
export const serverMessages: PortMutants = {
  port: 'server-messages',
  mutants: [
    ...texts(several, file, [
      ['if (server !== this) setImmediate', 'setImmediate', 'is heard by its own server'],
      ['setImmediate(() => server.#hear(text))', 'server.#hear(text.trim())', 'trims texts'],
      ['server.#hear(text)', "server.#hear(text.normalize('NFC'))", 'composes characters'],
      ['server.#hear(text)', 'server.#hear(text.slice(0, 100_000))', 'cuts long texts'],
      ['server.#hear(text)', 'server.#hear(text.toWellFormed())', 'spoils halves of characters'],
      ['server.#hear(text)', "server.#hear(text.split('\\u0000')[0] ?? '')", 'ends at U+0000'],
      ['setImmediate(() => server.#hear(text));', '{ server.#hear(text); server.#hear(text); }', 'notifies twice'],
      [
        'setImmediate(() => server.#hear(text));',
        'setTimeout(() => server.#hear(text), Math.random() * 20);',
        'loses the order',
      ],
      [
        'for (const server of this.#hub) if (server !== this)',
        'for (const server of [...this.#hub].filter((one) => one !== this).slice(0, 1))',
        'notifies one other server only',
      ],
      ['const own = { listener };', 'const own = { listener };\n    this.#listeners.clear();', 'has one listener only'],
      ['return () => void this.#listeners.delete(own);', 'return () => undefined;', 'lets no listener go'],
      [
        'return () => void this.#listeners.delete(own);',
        'return () => this.#listeners.clear();',
        'lets all listeners go',
      ],
      ['      } catch {', '      } catch {\n        return;', 'notifies nobody after a listener that threw'],
      ['return this.#hub.size === 1;', 'return true;', 'is always alone'],
      ['return this.#id;', "return 'server';", 'gives all servers one id'],
      ['.every((server) => server.#id !== id)', '.every(() => true)', 'says that everybody has ended'],
      [
        '.every((server) => server.#id !== id)',
        '.every((server) => server === this || server.#id !== id)',
        'leaves itself out',
      ],
      [
        '.every((server) => server.#id !== id)',
        '.slice(0, 2).every((server) => server.#id !== id)',
        'does not know who came later',
      ],
      [
        '        listener.heard(text);',
        '        listener.heard(text);\n        listener.missed();',
        'says that it missed what it heard',
      ],
      [
        'if (server !== this) setImmediate(() => server.#hear(text));',
        "if (server !== this && text !== '') setImmediate(() => server.#hear(text));",
        'does not carry an empty text',
      ],
    ]),
    ...texts('memory', file, [['return this.#hub.size === 1;', 'return false;', 'is never alone']]),
    ...calls(several, [
      [{ op: 'argument', method: 'publish', path: '0', value: 'another' }, 'carries another text'],
      [{ op: 'apart' }, 'is apart from every other server'],
    ]),
  ],
};
