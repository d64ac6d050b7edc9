import type { ResourceSource } from '#adapters/mcp/resources/resource.ts';
import { redDot } from '#test/conformance/fixture-tool.ts';

const template = 'test://template/{id}/data';
const texts = new Map([
  ['test://static-text', 'This is the content of the static text resource.'],
  ['test://watched-resource', 'Watched.'],
  ['test://example-resource', 'Embedded resource content for testing.'],
]);

/** The resources of the suite. */
export const fixtureResources: ResourceSource = {
  templates: [
    { uriTemplate: template, name: 'data', title: 'Data', description: 'Data of an id', mimeType: 'application/json' },
  ],
  list: async () => ({
    entries: [...texts.keys(), 'test://static-binary'].map((uri) => ({
      uri,
      name: uri,
      description: `The resource ${uri}`,
    })),
    next: null,
  }),
  read: async (_, uri) => {
    if (uri === 'test://static-binary') return [{ uri, mimeType: 'image/png', blob: redDot }];
    const text = texts.get(uri);
    if (text !== undefined) return [{ uri, mimeType: 'text/plain', text }];
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    if (id === undefined) return null;
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return [{ uri, mimeType: 'application/json', text: data }];
  },
  addressOf: (_, uri) => (uri.startsWith('test://') ? uri : null),
  complete: async (_, uriTemplate, typed) => (uriTemplate === template ? [`${typed}1`] : null),
};
