import { setPatience } from '#test/kit/checks.ts';
import { type Clause, keyOf } from '#test/kit/clause.ts';
import { allClauses } from '#test/kit/clauses.ts';
import type { Config } from '#test/kit/config.ts';
import type { Kit } from '#test/kit/kit.ts';
import { openKit } from '#test/kit/open.ts';
import { type Result, runClauses } from '#test/kit/run.ts';
import type { Fault, World } from '#test/kit/self-test/fault.ts';
import { accessFaults } from '#test/kit/self-test/faults/access.ts';
import { deliveryFaults } from '#test/kit/self-test/faults/deliveries.ts';
import { pageFaults } from '#test/kit/self-test/faults/pages.ts';
import { serviceFaults } from '#test/kit/self-test/faults/services.ts';
import { tokenFaults } from '#test/kit/self-test/faults/tokens.ts';
import { type FaultFront, openFront } from '#test/kit/self-test/front.ts';

/** All faults of the self-test. */
export const allFaults: readonly Fault[] = [
  ...tokenFaults,
  ...pageFaults,
  ...accessFaults,
  ...deliveryFaults,
  ...serviceFaults,
];

/** How long a check waits for something that a fault suppresses. */
const patienceMs = 3000;

/** The result of a fault: the messages of the checks that found it, and those that should have found it but did not. */
export type FaultResult = Readonly<{ name: string; seen: readonly string[]; unseen: readonly string[] }>;

/**
 * The results of a self-test: the checks that fail without a fault, before the first or right after their own, and the result of each
 * fault. A check that also fails without a fault proves nothing.
 */
export type SelfTest = Readonly<{ failedWithout: readonly Result[]; faults: readonly FaultResult[] }>;

/** Injects each fault in front of a correct server, and runs the checks that must find it. */
export async function selfTest(config: Config, report: (result: FaultResult) => void = () => {}): Promise<SelfTest> {
  const fronts: FaultFront[] = [];
  try {
    const { kit, close } = await openKit(config, async (baseUrl) => {
      const front = await openFront(baseUrl);
      fronts.push(front);
      return front.url;
    });
    const [front] = fronts;
    if (front === undefined) throw new Error('The front was not opened.');
    try {
      return await testedBehind(front, kit, report);
    } finally {
      await close();
    }
  } finally {
    for (const front of fronts) await front.close();
  }
}

async function testedBehind(front: FaultFront, kit: Kit, report: (result: FaultResult) => void): Promise<SelfTest> {
  try {
    const checks = allFaults.flatMap(({ seenBy }) => seenBy);
    const failedWithout = await failing(kit, checks);
    const faults: FaultResult[] = [];
    for (const fault of allFaults) {
      const result = await planted(kit, front, fault);
      faults.push(result);
      report(result);
      failedWithout.push(...(await failing(kit, fault.seenBy)));
    }
    return { failedWithout, faults };
  } finally {
    setPatience(null);
  }
}

/** The checks among these that do not pass. */
async function failing(kit: Kit, keys: readonly string[]): Promise<Result[]> {
  return (await runClauses(kit, named(keys))).filter(({ outcome }) => outcome !== 'passed');
}

async function planted(kit: Kit, front: FaultFront, fault: Fault): Promise<FaultResult> {
  const world: World = { kit, token: await kit.token(), secret: (service) => kit.secret(service) };
  // What checks stand on is made before the fault is there.
  await kit.signedIn();
  await kit.mcp();
  const { outbound } = fault;
  const emulator = outbound === undefined ? null : kit.emulator(outbound.service);
  front.bending = fault.inbound?.(world) ?? null;
  if (emulator !== null && outbound !== undefined) {
    const { request, reply } = outbound;
    const repeat = {
      repeat: (again: Parameters<NonNullable<typeof request>>[0]) => void emulator.received.push(again),
    };
    emulator.tamper = request === undefined ? null : (arrived) => request(arrived, repeat);
    emulator.tamperReply = reply ?? null;
  }
  setPatience(patienceMs);
  try {
    const results = await runClauses(kit, named(fault.seenBy));
    const saw = results.filter(({ outcome }) => outcome === 'failed');
    return {
      name: fault.name,
      seen: saw.map(({ key, message }) => `${key}: ${message ?? ''}`),
      unseen: results.filter((result) => !saw.includes(result)).map(({ key }) => key),
    };
  } finally {
    setPatience(null);
    front.bending = null;
    if (emulator !== null) {
      emulator.tamper = null;
      emulator.tamperReply = null;
      emulator.unscript();
    }
    await fault.repair?.(kit);
  }
}

/** The checks with these keys; fails when a key names none. */
function named(keys: readonly string[]): readonly Clause[] {
  const known = new Map(allClauses.map((clause) => [keyOf(clause), clause]));
  return [...new Set(keys)].map((key) => {
    const clause = known.get(key);
    if (clause === undefined) throw new Error(`${key} is no check.`);
    return clause;
  });
}

/** The self-test for a terminal. */
export function selfTestText({ failedWithout, faults }: SelfTest): string {
  const unseen = faults.filter((fault) => fault.unseen.length > 0);
  return [
    ...failedWithout.map(({ key, message }) => `not passed without any fault: ${key}  ${message ?? ''}`),
    ...unseen.map((fault) => `not seen: ${fault.name}, by ${fault.unseen.join(', ')}`),
    `${faults.length - unseen.length} of ${faults.length} planted faults are seen by every check that is meant to`,
  ].join('\n');
}

/** Whether everything passed before, and each fault was seen by all checks that are meant to. */
export function isProven({ failedWithout, faults }: SelfTest): boolean {
  return failedWithout.length === 0 && faults.every(({ unseen }) => unseen.length === 0);
}
