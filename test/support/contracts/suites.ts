import { authorizationCodesContract } from '#test/contracts/authorization-codes.ts';
import { clientsContract } from '#test/contracts/clients.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import { leasesContract } from '#test/contracts/leases.ts';
import { usersContract } from '#test/contracts/users.ts';

/** A suite: the file's name in test/contracts, which is the name it is published under, and its clauses registered for no store. */
export type Suite = Readonly<{ file: string; register(runner: Runner): void }>;

const none = {
  name: 'none',
  open: (): Promise<never> => Promise.reject(new Error('There is no store')),
  supports: { durable: false, processes: false },
};

/** All suites, in the order of the document. */
export const suites: readonly Suite[] = [
  { file: 'clients', register: (runner) => clientsContract(runner, none) },
  { file: 'authorization-codes', register: (runner) => authorizationCodesContract(runner, none) },
  { file: 'users', register: (runner) => usersContract(runner, none) },
  { file: 'leases', register: (runner) => leasesContract(runner, none) },
];
