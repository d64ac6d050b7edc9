/** The clauses of every server that no check can see from outside, and why. What they say is for tests within a server. */
export const notFromOutside: readonly Readonly<{ id: string; reason: string }>[] = [
  { id: 'PKCE-004', reason: 'whether a comparison takes constant time is less than what a network varies' },
  { id: 'SESS-015', reason: 'a log is not part of the interface; nor is the warning for an invalid cookie' },
  { id: 'USER-002', reason: 'the interface has no route that names permission keys' },
  { id: 'LIMIT-008', reason: 'only thousands of calls use up a day’s budget' },
  { id: 'LIMIT-009', reason: 'only thousands of calls use up a day’s credits' },
];
