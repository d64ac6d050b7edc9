import { Agent, request } from 'node:http';

/** An answer as it came over the wire; header names are lower case. */
export type WireAnswer = Readonly<{
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}>;

/** What is sent: header values may be anything that HTTP can carry, the body any bytes. */
export type WireRequest = Readonly<{
  method: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
}>;

/** One kept-alive connection pool to a server: cheap enough for thousands of requests. */
export class Wire {
  readonly #origin: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });

  constructor(origin: string) {
    this.#origin = new URL(origin);
  }

  send({ method, path, headers = {}, body }: WireRequest): Promise<WireAnswer> {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const { hostname, port } = this.#origin;
    const options = { hostname, port, method, path, headers: { ...length, ...headers }, agent: this.#agent };
    return new Promise((resolve, reject) => {
      const outgoing = request(options, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text });
        });
        answer.on('error', reject);
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
