import { describe, expect, it } from 'vitest';
import { catalogTools } from '#adapters/mcp/catalog-tools.ts';
import { catalogueTools, directTools } from '#adapters/mcp/catalogue-tools.ts';
import { everyTool } from '#adapters/mcp/tool-choice.ts';
import { ToolRegistry } from '#adapters/mcp/tool-registry.ts';
import { catalogOf } from '#adapters/services/catalog.ts';
import { providersFrom } from '#bootstrap/providers.ts';
import { readSettings } from '#bootstrap/settings.ts';
import { serviceKeys } from '#domain/services/service-key.ts';
import { guest } from '#domain/users/user.ts';
import { FakeGateway, runOver } from '#test/support/mcp-catalog.ts';

const catalog = catalogOf(providersFrom(readSettings({})));
const tools = catalogTools(catalog, runOver(new FakeGateway()), 'http://localhost:3000');
const registry = new ToolRegistry(tools, '1');
const connected = { of: async () => new Set(serviceKeys) };
const small = catalogueTools(registry, connected);
const everybody = { ...guest, id: 1, permissions: serviceKeys };

describe.each([...tools, ...small].map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  it('has a name that every client takes', () => {
    expect(name).toMatch(/^[a-z][a-z0-9_]{2,63}$/);
  });

  it('has a short title and a description of a sentence or a few', () => {
    expect(tool.title.length).toBeGreaterThan(3);
    expect(tool.title.length).toBeLessThanOrEqual(80);
    expect(tool.description.length).toBeGreaterThanOrEqual(12);
    expect(tool.description.length).toBeLessThanOrEqual(600);
  });

  it('has all four hints, and they do not contradict each other', () => {
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations;
    expect(
      [readOnlyHint, destructiveHint, idempotentHint, openWorldHint].every((hint) => typeof hint === 'boolean'),
    ).toBe(true);
    expect(readOnlyHint && destructiveHint).toBe(false);
    expect(readOnlyHint && !idempotentHint).toBe(false);
  });

  it('has an input schema of an object', () => {
    expect(tool.inputSchema.type).toBe('object');
  });
});

/** Tokens of a text, about: four characters each. */
const tokensOf = (text: string): number => Math.round(text.length / 4);

it('the catalogue takes less than a tenth of the room of all tools', () => {
  const all = registry.listFor(everybody, new Set(serviceKeys), everyTool).legacy.toString();
  const direct = directTools.flatMap((name) => registry.find(name) ?? []);
  const catalogue = new ToolRegistry([...small, ...direct], '1');
  const few = catalogue.listFor(everybody, new Set(serviceKeys), everyTool).legacy.toString();
  const sizes = serviceKeys.map((service) => {
    const choice = { ...everyTool, services: [service] };
    return `${service} ${tokensOf(registry.listFor(everybody, new Set(serviceKeys), choice).legacy.toString())}`;
  });
  const reading = registry
    .listFor(everybody, new Set(serviceKeys), { ...everyTool, isReadonly: true })
    .legacy.toString();
  process.stderr.write(
    `About (characters / 4) tokens: ${tools.length} tools ${tokensOf(all)}; readonly ${tokensOf(reading)}; catalogue ${tokensOf(few)}; ${sizes.join(', ')}\n`,
  );
  expect(tokensOf(few)).toBeLessThan(tokensOf(all) / 10);
});
