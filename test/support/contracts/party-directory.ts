import { GatewayPartyDirectory } from '#adapters/services/suite-crm/ports/party-directory.ts';
import type { PartyDirectory } from '#application/ports/party-directory.ts';
import type { Opened } from '#test/contracts/kit/subject.ts';
import type { PartyDirectorySubject, SeenParty } from '#test/contracts/party-directory.ts';
import { MemoryPartyDirectory } from '#test/doubles/memory-party-directory.ts';
import { openHarness } from '#test/emulators/suite-crm/through-gateway.ts';

const inMemory: PartyDirectorySubject<Opened<PartyDirectory> & Readonly<{ directory: MemoryPartyDirectory }>> = {
  name: 'memory',
  open: async () => {
    const directory = new MemoryPartyDirectory();
    return { port: directory, directory, close: async () => undefined };
  },
  seen: async ({ directory }, id) => {
    const known = directory.known.get(id);
    if (known === undefined) return null;
    const { kind, ...values } = known.party;
    const { employer: _, ...fields } = { employer: null, ...values };
    const shown = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? null]));
    return kind === 'organization' ? shown : { ...shown, employerId: known.employerId ?? null };
  },
  supports: { durable: false, processes: false },
};

type Emulated = Opened<PartyDirectory> & Readonly<{ seen(id: string): SeenParty | null }>;

/** The suite CRM's operations, over HTTP to the emulator that speaks one of the dialects. */
function emulated(dialect: 'neutral' | 'zoho'): PartyDirectorySubject<Emulated> {
  return {
    name: `${dialect}, over HTTP to the emulated suite CRM`,
    open: async () => {
      const { emulator, call, close } = await openHarness({ dialect });
      const caller = { call: ({ name, input }: Readonly<{ name: string; input: unknown }>) => call(name, input) };
      return { port: new GatewayPartyDirectory(caller, 1), seen: (id) => shownIn(emulator.state, id), close };
    },
    seen: async (opened, id) => opened.seen(id),
    supports: { durable: false, processes: false },
  };
}

type Records = Readonly<{ find(module: string, id: string): Readonly<Record<string, unknown>> | null }>;

function shownIn(state: Records, id: string): SeenParty | null {
  const contact = state.find('Contacts', id);
  const account = state.find('Accounts', id);
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  if (account !== null) {
    const { Account_Name: name, Billing_Street: address, Website: website } = account;
    return { name: text(name), address: text(address), website: text(website) };
  }
  if (contact === null) return null;
  const { First_Name: first, Last_Name: last, Email: email, Phone: phone, Account_Name: employer } = contact;
  const employerId = typeof employer === 'object' && employer !== null && 'id' in employer ? text(employer.id) : null;
  return { firstName: text(first), lastName: text(last), email: text(email), phone: text(phone), employerId };
}

/** The directory that tests use. */
export const memoryPartyDirectory = inMemory;

/** The directories of the suite CRM. */
export const suiteCrmDirectories = [emulated('neutral'), emulated('zoho')];

/** All directories. */
export const partyDirectories: readonly PartyDirectorySubject<Opened<PartyDirectory>>[] = [
  memoryPartyDirectory,
  ...suiteCrmDirectories,
];
