import { setTimeout as delay } from 'node:timers/promises';
import type { Tool } from '#adapters/mcp/tools/tool.ts';
import { fixtureTool, redDot, said, silence } from '#test/conformance/fixture-tool.ts';

const image = { type: 'image', data: redDot, mimeType: 'image/png' } as const;

/** The tools of the suite that ask the client for nothing. */
export const plainTools: readonly Tool[] = [
  fixtureTool('test_simple_text', () => said('This is a simple text response for testing.')),
  fixtureTool('test_image_content', () => ({ content: [image] })),
  fixtureTool('test_audio_content', () => ({ content: [{ type: 'audio', data: silence, mimeType: 'audio/wav' }] })),
  fixtureTool('test_embedded_resource', () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  })),
  fixtureTool('test_multiple_content_types', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  })),
  fixtureTool('test_tool_with_logging', async (_, { log }) => {
    log?.('info', 'Tool execution started');
    await delay(50);
    log?.('info', 'Tool processing data');
    await delay(50);
    log?.('info', 'Tool execution completed');
    return said('Logged three times.');
  }),
  fixtureTool('test_logging_tool', (_, { log }) => {
    log?.('info', 'For those who asked for it');
    return said('Logged once.');
  }),
  fixtureTool('test_error_handling', () => ({
    ...said('This tool intentionally returns an error for testing'),
    isError: true,
  })),
  fixtureTool('test_tool_with_progress', async (_, { onProgress }) => {
    for (const done of [0, 50, 100]) {
      onProgress?.({ done, total: 100, message: `${done} of 100` });
      await delay(50);
    }
    return said('Reported progress.');
  }),
  {
    ...fixtureTool('json_schema_2020_12_tool', () => said('Its schema is what counts.')),
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // An object with a member `then` must not be written as one: it would pass for a promise.
      // oxlint-disable-next-line unicorn/no-thenable -- it is a JSON Schema, and it is never awaited
      ...Object.fromEntries([['then', { required: ['phone'] }]]),
      else: { required: ['email'] },
      additionalProperties: false,
    },
  },
];
