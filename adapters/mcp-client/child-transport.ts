import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import type { RemoteReach } from '#adapters/contracts/remote-sessions.ts';
import { jsonOrNull } from '#domain/json/json-data.ts';
import { boundedLines } from '#infrastructure/streams/bounded-lines.ts';

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** The program to run, the maximum length of one of its messages, in bytes, and what is called when one is longer. */
export type ChildOptions = Extract<RemoteReach, { kind: 'command' }> &
  Readonly<{ maxBytes: number; onTooLarge: () => void }>;

/** How long a program has to end after its input was closed, and then after SIGTERM, in ms. */
const graceMs = 2_000;

/** The children that run: those that are left when this process exits are killed with their groups. */
const running = new Set<number>();
process.on('exit', () => {
  for (const pid of running) killGroup(pid, 'SIGKILL');
});

/**
 * Speaks MCP with a program over its standard input and output. It runs in a process group of its own, which ends with
 * it, and sees `PATH`, `HOME` and the variables that it is given, none of this server's.
 */
export class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: ChildOptions;
  #child: Child | null = null;
  #exited: Promise<void> = Promise.resolve();

  constructor(options: ChildOptions) {
    this.#options = options;
  }

  /** The process id; null before it runs and after it ended. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  start(): Promise<void> {
    const { command, args, env } = this.#options;
    const child = spawn(command, args, {
      env: { ...inherited(), ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      windowsHide: true,
    });
    this.#child = child;
    const { promise: exited, resolve: onExit } = Promise.withResolvers<void>();
    this.#exited = exited;
    const ended = (): void => {
      if (this.#child === null) return;
      this.#child = null;
      if (child.pid !== undefined) {
        // What it has started may outlive it.
        killGroup(child.pid, 'SIGKILL');
        running.delete(child.pid);
      }
      onExit();
      this.#closed();
    };
    child.on('exit', ended);
    child.stdin.on('error', (error) => this.onerror?.(error));
    // What it writes there is for its own developers; it must not fill the pipe.
    child.stderr.resume();
    return new Promise((resolve, reject) => {
      child.on('error', (error) => {
        if (child.pid === undefined) ended();
        reject(error);
      });
      child.on('spawn', () => {
        if (child.pid !== undefined) running.add(child.pid);
        void this.#read(child.stdout);
        resolve();
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin?.writable !== true) throw new Error('The program has ended.');
    if (!stdin.write(`${JSON.stringify(message)}\n`) && stdin.writableLength > this.#options.maxBytes) {
      throw new Error('The program reads none of what it is sent.');
    }
  }

  /** Closes its input, and ends the program and its group if it does not end by itself. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    const { pid } = child;
    // Nobody waits for its answers any longer.
    this.#closed();
    child.stdin.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await this.#hasEnded(graceMs)) return;
      killGroup(pid, signal);
    }
    await this.#hasEnded(graceMs);
  }

  #closed(): void {
    const { onclose } = this;
    delete this.onclose;
    onclose?.();
  }

  async #hasEnded(withinMs: number): Promise<boolean> {
    const { promise: late, resolve } = Promise.withResolvers<false>();
    const timer = setTimeout(() => resolve(false), withinMs);
    const ended = await Promise.race([this.#exited.then(() => true), late]);
    clearTimeout(timer);
    return ended;
  }

  async #read(output: Readable): Promise<void> {
    try {
      for await (const line of boundedLines(output, this.#options.maxBytes)) {
        if (line === null) {
          this.#options.onTooLarge();
          return;
        }
        const message = JSONRPCMessageSchema.safeParse(jsonOrNull(line));
        if (message.success) this.onmessage?.(message.data);
      }
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

/** The variables of this process that a program sees. */
function inherited(): Readonly<Record<string, string>> {
  const { PATH, HOME } = process.env;
  return { ...(PATH === undefined ? {} : { PATH }), ...(HOME === undefined ? {} : { HOME }) };
}

function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // None of it is left.
  }
}
