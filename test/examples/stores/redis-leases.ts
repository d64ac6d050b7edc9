import { connect, type Socket } from 'node:net';
import type { Leases, Store } from '#bootstrap/package/ports.ts';

const acquire = `local now = redis.call('TIME')
local at = now[1] * 1000 + math.floor(now[2] / 1000)
local held = redis.call('HMGET', KEYS[1], 'owner', 'until', 'fencing')
if held[1] and held[1] ~= ARGV[1] and tonumber(held[2]) > at then return -1 end
local fencing = tonumber(held[3] or 0)
if held[1] ~= ARGV[1] then fencing = fencing + 1 end
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'until', string.format('%.0f', at + ARGV[2]), 'fencing', fencing)
return fencing`;

const release = `if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'owner', '', 'until', 0)
return 1`;

type Waiting = Readonly<{ resolve(answer: number): void; reject(error: Error): void }>;

/** Stores leases in Redis or Valkey. Each call is one script, which runs atomically, and uses that server's clock. */
export class RedisLeases implements Leases, Store {
  readonly #socket: Socket;
  readonly #waiting: Waiting[] = [];
  readonly #prefix: string;
  #text = '';

  /** Connects to `redis://host:port`; every key begins with `prefix`. */
  constructor(url: string, prefix = 'portolan:lease:') {
    this.#prefix = prefix;
    const { hostname, port } = new URL(url);
    this.#socket = connect(Number(port || 6379), hostname).setEncoding('utf8');
    this.#socket.on('data', (text: string) => this.#read(text));
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error('The connection to Redis was closed')));
  }

  async acquire(name: string, owner: string, leaseMs: number): Promise<number | null> {
    const fencing = await this.#eval(acquire, name, owner, String(Math.trunc(leaseMs)));
    return fencing === -1 ? null : fencing;
  }

  async release(name: string, owner: string): Promise<boolean> {
    return (await this.#eval(release, name, owner)) === 1;
  }

  async ready(): Promise<void> {
    await this.#eval('return 1', 'ready');
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.end(resolve));
  }

  #eval(script: string, key: string, ...parameters: readonly string[]): Promise<number> {
    const words = ['EVAL', script, '1', `${this.#prefix}${key}`, ...parameters];
    const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#socket.write(`*${words.length}\r\n${parts.join('')}`);
    });
  }

  /** Parses a script's answer, a number as in `:1`; an answer that begins with `-` is an error. */
  #read(text: string): void {
    const lines = (this.#text + text).split('\r\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) {
      const waiting = this.#waiting.shift();
      if (line.startsWith(':')) waiting?.resolve(Number(line.slice(1)));
      else waiting?.reject(new Error(`Redis answered ${line}`));
    }
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

/** The lease store at REDIS_URL; none if it is not set, so that the database store is used. */
export function redisLeases(url = process.env['REDIS_URL']): { leases?: RedisLeases } {
  return url === undefined ? {} : { leases: new RedisLeases(url) };
}
