import type { ServiceKey } from '#test/kit/clause.ts';
import type { Sender } from '#test/kit/deliveries.ts';
import type { Received, Reply } from '#test/kit/emulators/emulator.ts';
import type { Kit } from '#test/kit/kit.ts';

/** A request on its way from the kit to the server. */
export type Inbound = Readonly<{
  method: string;
  path: string;
  headers: Readonly<Record<string, string | readonly string[]>>;
  body: Buffer;
}>;

/** An answer on its way back. */
export type Outgoing = Readonly<{
  status: number;
  headers: Readonly<Record<string, string | readonly string[]>>;
  body: Buffer;
}>;

/** Sends a request on to the server. */
export type Pass = (request: Inbound) => Promise<Outgoing>;

/** How an injected fault handles one request; it may forward it several times, or not at all. */
export type Bending = (request: Inbound, pass: Pass) => Promise<Outgoing>;

/** A fault to inject, and the checks that must find it. */
export type Fault = Readonly<{
  /** What the server does wrong, in words. */
  name: string;
  /** The keys of the checks, each of which must fail. */
  seenBy: readonly string[];
  /** Acts between the kit and the server. Created for each run of the fault, so it may keep state. */
  inbound?: (world: World) => Bending;
  /** Acts between the server and the emulator of a service. */
  outbound?: Readonly<{
    service: ServiceKey;
    /** Null drops the request. */
    request?: (request: Received, emulated: Readonly<{ repeat(request: Received): void }>) => Received | null;
    reply?: (reply: Reply, request: Received) => Reply;
  }>;
  /** Undoes what the fault left in the server, such as a key that counts as refused. */
  repair?: (kit: Kit) => Promise<unknown>;
}>;

/** What faults may know of the run. */
export type World = Readonly<{ kit: Kit; token: string; secret(service: Sender): string }>;

/** A fault of answers: those of requests that fit are changed. */
export function answers(
  name: string,
  seenBy: readonly string[],
  fits: (request: Inbound, answer: Outgoing) => boolean,
  change: (answer: Outgoing, request: Inbound) => Outgoing,
): Fault {
  return {
    name,
    seenBy,
    inbound: () => async (request, pass) => {
      const answer = await pass(request);
      return fits(request, answer) ? change(answer, request) : answer;
    },
  };
}

/** A fault of requests: those that fit reach the server changed. */
export function requests(
  name: string,
  seenBy: readonly string[],
  fits: (request: Inbound) => boolean,
  change: (request: Inbound, world: World) => Inbound,
): Fault {
  return {
    name,
    seenBy,
    inbound: (world) => (request, pass) => pass(fits(request) ? change(request, world) : request),
  };
}

/** A fault of what is sent to a service: requests that fit arrive changed. */
export function sent(
  name: string,
  seenBy: readonly string[],
  service: ServiceKey,
  change: (request: Received) => Received | null,
  fits: (request: Received) => boolean = () => true,
): Fault {
  return { name, seenBy, outbound: { service, request: (request) => (fits(request) ? change(request) : request) } };
}

/** Whether a request is for a path, whatever its query. */
export const isFor =
  (path: string, method?: string) =>
  (request: Inbound): boolean =>
    request.path.split('?')[0] === path && (method === undefined || request.method === method);

/** The answer with another body as JSON, and another status where one is given. */
export function withJson(answer: Outgoing, json: unknown, status = answer.status): Outgoing {
  return withBody(answer, JSON.stringify(json), status);
}

/** The answer with other text as its body. */
export function withBody(answer: Outgoing, text: string, status = answer.status): Outgoing {
  return { status, headers: answer.headers, body: Buffer.from(text) };
}

/** The answer with another header; null takes it away. */
export function withHeader(answer: Outgoing, name: string, value: string | readonly string[] | null): Outgoing {
  const { [name]: _, ...others } = answer.headers;
  return { ...answer, headers: value === null ? others : { ...others, [name]: value } };
}

/** The body of an answer as JSON. */
export function jsonOf({ body }: Readonly<{ body: Buffer }>): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(body.toString()) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
