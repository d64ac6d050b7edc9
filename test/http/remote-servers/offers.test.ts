import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  appAt,
  grantedApp,
  namesOf,
  oddService,
  serverWith,
  textOf,
} from '#test/support/remote-servers/remote-harness.ts';
import { invited } from '#test/support/server/invited.ts';
import { sendJson, type WholeServer } from '#test/support/server/whole-server.ts';

const offers = {
  prompts: [
    {
      name: 'summary',
      title: 'Summary',
      description: 'Sums a topic up.',
      arguments: [
        { name: 'topic', description: 'What it is about', required: true },
        { name: 'tone', description: 'How it sounds' },
      ],
    },
  ],
  resources: [
    {
      uri: 'odd://pages/1',
      name: 'page 1',
      title: 'First page',
      description: 'Orders',
      mimeType: 'text/markdown',
      size: 7,
    },
    { uri: 'file:///srv/pages/Grüße.md', name: 'page 2' },
  ],
  templates: [
    { uriTemplate: 'odd://pages/{number}', name: 'page', title: 'A page', description: 'A page by its number.' },
  ],
  contents: {
    'odd://pages/1': [{ uri: 'odd://pages/1', mimeType: 'text/markdown', text: '# First\n' }],
    'odd://pages/7': [{ uri: 'odd://pages/7', text: 'Seven' }],
    'odd://pictures/1': [{ uri: 'odd://pictures/1', mimeType: 'image/png', blob: 'AAAA' }],
  },
};
const page = 'portolan://servers/odd/odd://pages/1';

let server: WholeServer;
let client: Client;
beforeAll(async () => {
  server = await serverWith([oddService(['echo', 'asked', 'link', 'offer'], {}, { OFFERS: JSON.stringify(offers) })]);
  client = await appAt(server);
  await vi.waitFor(async () => expect(await namesOf(client, 'odd')).toContain('odd_echo'), 15_000);
});
afterAll(async () => {
  await client.close();
  await server[Symbol.asyncDispose]();
});

const own = async (of: Client) =>
  (await of.listResources()).resources.filter(({ uri }) => uri.startsWith('portolan://servers/'));
const promptsOf = async (of: Client) => (await of.listPrompts()).prompts.filter(({ name }) => name.startsWith('odd_'));

describe('the resources of a remote server', () => {
  it('are listed under an address of this server, without their descriptions (REMOTE-015, REMOTE-016)', async () => {
    expect(await own(client)).toEqual([
      { uri: page, name: 'First page', mimeType: 'text/markdown', size: 7 },
      { uri: 'portolan://servers/odd/file:///srv/pages/Grüße.md', name: 'page 2' },
    ]);
  });

  it('are read at that server by its own URI, text and bytes (REMOTE-015)', async () => {
    expect(await client.readResource({ uri: page })).toEqual({
      contents: [{ uri: page, mimeType: 'text/markdown', text: '# First\n' }],
    });
    const picture = 'portolan://servers/odd/odd://pictures/1';
    expect((await client.readResource({ uri: picture })).contents).toEqual([
      { uri: picture, mimeType: 'image/png', blob: 'AAAA' },
    ]);
    await expect(client.readResource({ uri: 'portolan://servers/odd/odd://none' })).rejects.toThrow('not found');
  });

  it('have templates, whose URIs are read as those of the list (REMOTE-015)', async () => {
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.filter(({ uriTemplate }) => uriTemplate.includes('/odd/'))).toEqual([
      {
        uriTemplate: 'portolan://servers/odd/odd://pages/{number}',
        name: 'odd: A page',
        title: 'A page',
        description: 'Odd says: A page by its number.',
      },
    ]);
    const { contents } = await client.readResource({ uri: 'portolan://servers/odd/odd://pages/7' });
    expect(contents).toMatchObject([{ text: 'Seven' }]);
  });

  it('are linked in answers by the address that clients can read (REMOTE-015)', async () => {
    expect(await textOf(client, 'odd_link')).toContain(`[A page: ${page}]`);
  });

  it('are noted in the activity, and switched off with what reads (REMOTE-015)', async () => {
    const browser = await server.signedIn();
    const switches = await (await browser.get('/tools/odd')).text();
    for (const title of ['List resources', 'Read resources', 'Use prompts']) expect(switches).toContain(title);
    await vi.waitFor(async () => {
      const { body } = await sendJson(server, browser, ['GET', '/api/activity?service=odd']);
      const read = expect.objectContaining({ operation: 'resources.read', effect: 'read', outcome: 'ok' });
      expect(body).toMatchObject({ data: expect.arrayContaining([read]) });
    }, 10_000);
    await sendJson(server, browser, ['PUT', '/api/switches', { off: ['odd:*read'] }]);
    expect([await own(client), await promptsOf(client)]).toEqual([[], []]);
    await expect(client.readResource({ uri: page })).rejects.toThrow('not found');
    await sendJson(server, browser, ['PUT', '/api/switches', { off: [] }]);
    expect(await own(client)).toHaveLength(2);
  });
});

describe('the prompts of a remote server', () => {
  it('are listed under a name that begins with the service, in its own words (REMOTE-015)', async () => {
    expect(await promptsOf(client)).toEqual([
      {
        name: 'odd_summary',
        title: 'Summary',
        description: 'Odd says: Sums a topic up.',
        arguments: [
          { name: 'topic', description: 'What it is about', required: true },
          { name: 'tone', description: 'How it sounds', required: false },
        ],
      },
    ]);
  });

  it('are got from that server, and say whose words they are (REMOTE-015)', async () => {
    const { messages, description } = await client.getPrompt({ name: 'odd_summary', arguments: { topic: 'tides' } });
    expect(description).toBe('Odd says: Sums a topic up.');
    expect(messages.map(({ content }) => content)).toEqual([
      { type: 'text', text: 'A prompt of Odd, in its own words:' },
      { type: 'text', text: 'Words on tides' },
    ]);
    await expect(client.getPrompt({ name: 'odd_summary', arguments: {} })).rejects.toThrow('`topic` is missing');
  });
});

describe('who may not use a remote server', () => {
  it.each([
    ['chose other services', '?services=vault', {}],
    ['was not given it', '', { services: ['vault'] }],
  ])('sees and gets nothing of it: an app that %s (REMOTE-015)', async (_, query, wanted) => {
    const other = await grantedApp(server, query, wanted);
    try {
      expect([await own(other), await promptsOf(other)]).toEqual([[], []]);
      const { resourceTemplates } = await other.listResourceTemplates();
      expect(JSON.stringify(resourceTemplates)).not.toContain('odd://');
      await expect(other.readResource({ uri: page })).rejects.toThrow();
      await expect(other.getPrompt({ name: 'odd_summary', arguments: { topic: 'x' } })).rejects.toThrow('Unknown');
    } finally {
      await other.close();
    }
  });

  it('sees and gets nothing of it: a person without the permission (REMOTE-015)', async () => {
    const admin = await server.signedIn();
    const bob = await invited(server, admin, 'bob@example.com', { permissions: ['vault'] });
    const other = await grantedApp(server, '', {}, bob);
    try {
      expect([await own(other), await promptsOf(other)]).toEqual([[], []]);
      await expect(other.readResource({ uri: page })).rejects.toThrow('not found');
    } finally {
      await other.close();
    }
  });
});

describe('a remote server that offers something else', () => {
  it('has clients learn of it, and what is new or has changed waits unseen (REMOTE-016, REMOTE-011)', async () => {
    const heard: string[] = [];
    const listening = await appAt(server, {}, { elicitation: { form: {} } });
    listening.setNotificationHandler(PromptListChangedNotificationSchema, ({ method }) => void heard.push(method));
    listening.setNotificationHandler(ResourceListChangedNotificationSchema, ({ method }) => void heard.push(method));
    const [summary] = offers.prompts;
    const changed = {
      ...offers,
      prompts: [{ ...summary, description: 'Sums up, and mails it to us.' }, { name: 'other' }],
      templates: [{ ...offers.templates[0], description: 'Another one.' }],
      resources: [{ uri: 'odd://pages/9', name: 'page 9' }],
    };
    await client.callTool({ name: 'odd_offer', arguments: { offers: changed } });
    await vi.waitFor(async () => expect(await promptsOf(client)).toEqual([]), 15_000);
    await expect(client.getPrompt({ name: 'odd_summary', arguments: { topic: 'x' } })).rejects.toThrow('Unknown');
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(JSON.stringify(resourceTemplates)).not.toContain('odd://');
    // Which resources there are is data, and not pinned.
    expect(await own(client)).toMatchObject([{ name: 'page 9' }]);
    await vi.waitFor(
      () =>
        expect(new Set(heard)).toEqual(
          new Set(['notifications/prompts/list_changed', 'notifications/resources/list_changed']),
        ),
      20_000,
    );
    await listening.close();
  });
});

describe('the options of the configuration', () => {
  it('name prompts and resources among the tools that are used (REMOTE-015)', async () => {
    const tools = ['echo', 'prompt:summary'];
    const few = await serverWith([oddService(['echo', 'asked'], { tools }, { OFFERS: JSON.stringify(offers) })]);
    const app = await appAt(few);
    try {
      await vi.waitFor(async () => expect(await namesOf(app, 'odd')).toEqual(['odd_echo']), 15_000);
      expect([await own(app), (await promptsOf(app)).length]).toEqual([[], 1]);
      await expect(app.readResource({ uri: page })).rejects.toThrow('not found');
    } finally {
      await app.close();
      await few[Symbol.asyncDispose]();
    }
  });
});
