import type { SignedIn } from '#test/demo/signed-in.ts';
import { authorizePath, callback, registered } from '#test/support/authorization/auth-flow.ts';
import { post, toolsCall } from '#test/support/mcp/mcp-clients.ts';

/** A change that is made on one server, and how another shows that it follows. */
export type FollowedChange = Readonly<{
  name: string;
  /** Makes the change, or takes it back when it has been made, and returns whether it stands now. */
  turn(): Promise<boolean>;
  /** Whether the other server shows it. */
  isSeen(): Promise<boolean>;
}>;

/** Who makes the changes at the server `origin`, the other server, an access token of that person, and a tracker's key. */
export type Changing = Readonly<{
  person: SignedIn;
  origin: string;
  other: string;
  token: string;
  trackerKey: string;
}>;

/** Changes of rights, connections, tools and notes that one server makes and another has remembered otherwise. */
export function followedChanges({ person, origin, other, token, trackerKey }: Changing): readonly FollowedChange[] {
  const ask = async (body: object): Promise<string> => (await post(other, body, { person: token })).text();
  const lists = async (part: string) =>
    (await ask({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).includes(`"name":"${part}`);
  const turning = (turn: (isOn: boolean) => Promise<unknown>) => {
    let isOn = false;
    return async () => {
      isOn = !isOn;
      await turn(isOn);
      return isOn;
    };
  };
  const all = ['sales_crm', 'signing', 'suite_crm', 'tracker', 'vault'];
  let notes = 0;
  return [
    {
      name: 'a right',
      turn: turning((isOn) =>
        person.call('PATCH', '/api/users/1', { permissions: isOn ? all.filter((key) => key !== 'vault') : all }),
      ),
      isSeen: async () => !(await lists('vault_')),
    },
    {
      name: 'a connection',
      turn: turning((isOn) =>
        isOn
          ? person.save('tracker', 'personal_token', trackerKey)
          : person.call('POST', '/disconnect', { service: 'tracker' }),
      ),
      isSeen: () => lists('tracker_'),
    },
    {
      name: 'a tool',
      turn: turning((isOn) => person.call('PUT', '/api/switches', { off: isOn ? ['vault:notes.write'] : [] })),
      isSeen: async () => !(await lists('vault_note_write"')),
    },
    {
      name: 'a note',
      turn: async () => {
        notes += 1;
        const params = { arguments: { path: `followed-${notes}.md`, content: `followed-${notes}` } };
        await (await post(origin, toolsCall(1, 'vault_note_write', params), { person: token })).text();
        return true;
      },
      isSeen: async () =>
        (await ask(toolsCall(1, 'vault_search', { arguments: { query: `followed-${notes}` } }))).includes(
          `followed-${notes}.md`,
        ),
    },
  ];
}

/** Registers a client at one server; whether the other knows it. */
export async function isRegistrationSeen(at: string, other: string): Promise<boolean> {
  const client = await registered({ origin: at });
  const path = authorizePath({ client_id: client.client_id, redirect_uri: callback, response_type: 'code' });
  return (await fetch(new URL(path, other), { redirect: 'manual' })).status < 400;
}
