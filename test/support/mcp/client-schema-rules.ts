import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import draft07 from 'ajv/dist/refs/json-schema-draft-07.json' with { type: 'json' };
import type { ListedTool } from '#test/support/mcp/listed-tools.ts';

/*
 * The rules of strict clients and APIs for the tools in a list, with their sources. Each function returns what its client refuses, with its
 * place. A client that refuses one schema fails every request, also requests that do not use the tool.
 */

type Schema = Readonly<Record<string, unknown>>;
type Place = Readonly<{ schema: Schema; path: string }>;

// Under its own name the validator knows it already.
const { $id: _id, $schema: _schema, ...metaSchema } = draft07;
const isDraft07 = new AjvJsonSchemaValidator().getValidator(metaSchema);
const topLevelUnions = ['oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else'];

/** VS Code: what src/extension/tools/common/toolSchemaNormalizer.ts of microsoft/vscode-copilot-chat throws for or repairs. */
export function vsCodeRefuses({ name, description, inputSchema }: ListedTool): readonly string[] {
  const valid = isDraft07(inputSchema);
  return [
    ...(valid.valid ? [] : [`${name}: tool parameters do not match JSON schema: ${valid.errorMessage}`]),
    ...(inputSchema['type'] === 'object' ? [] : [`${name}: schema must be an object`]),
    ...(isSchema(inputSchema['properties']) ? [] : [`${name}: schema must have a properties object`]),
    ...(description === '' ? [`${name}: schema description may not be empty`] : []),
    ...topLevelUnions.filter((keyword) => keyword in inputSchema).map((keyword) => `${name}: top-level ${keyword}`),
    ...placesIn(inputSchema, name).flatMap(({ schema, path }) => [
      ...(schema['type'] === 'array' && !schema['items'] ? [`${path}: array type must have items`] : []),
      ...(typeof schema['description'] === 'string' && schema['description'].length > 1024
        ? [`${path}: description is too long`]
        : []),
      ...undefinedNames(schema, path),
    ]),
  ];
}

/**
 * OpenAI, functions that are not strict: the errors `invalid_function_parameters` "array schema missing items" and "schema must have type
 * 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level" (nspady/google-calendar-mcp#39, sigoden/aichat#1049,
 * NousResearch/hermes-agent#24208), the pattern of names in its API reference, and the 1,024 characters of a description that Azure and
 * older models accept (rusiaaman/wcgw#51, langchain-ai/open_deep_research#80).
 */
export function openAiRefuses({ name, description, inputSchema }: ListedTool): readonly string[] {
  const top = ['oneOf', 'anyOf', 'allOf', 'enum', 'const', 'not'].filter((keyword) => keyword in inputSchema);
  return [
    ...(/^[a-zA-Z0-9_-]{1,64}$/.test(name) ? [] : [`${name}: name`]),
    ...(description.length > 1024 ? [`${name}: description is too long`] : []),
    ...(inputSchema['type'] === 'object' && top.length === 0
      ? []
      : [`${name}: must have type 'object' and no ${top.join()}`]),
    ...placesIn(inputSchema, name).flatMap(({ schema, path }) =>
      typesOf(schema).includes('array') && !isSchema(schema['items']) ? [`${path}: array schema missing items`] : [],
    ),
  ];
}

/** The prefix under which Claude's clients list a server's tools, for a server that is called as the README calls it. */
const claudePrefix = 'mcp__portolan__';

/**
 * Claude: the errors "input_schema does not support oneOf, allOf, or anyOf at the top level" (anthropics/claude-code#5973, #45106) and
 * "Property keys should match pattern" of its API (anthropics/claude-code#79418, ComposioHQ/composio#3500); names of 64 characters with the
 * client's prefix (ChromeDevTools/chrome-devtools-mcp#1169); and the 2,048 characters after which Claude Code cuts a description.
 */
export function claudeRefuses({ name, description, inputSchema }: ListedTool): readonly string[] {
  const top = ['oneOf', 'anyOf', 'allOf'].filter((keyword) => keyword in inputSchema);
  return [
    ...(/^[a-zA-Z0-9_-]{1,64}$/.test(claudePrefix + name) ? [] : [`${name}: name`]),
    ...(description.length > 2048 ? [`${name}: description is cut`] : []),
    ...(inputSchema['type'] === 'object' ? [] : [`${name}: must have type 'object'`]),
    ...top.map((keyword) => `${name}: top-level ${keyword}`),
    ...placesIn(inputSchema, name).flatMap(({ schema, path }) =>
      Object.keys(isSchema(schema['properties']) ? schema['properties'] : {}).flatMap((key) =>
        /^[a-zA-Z0-9_.-]{1,64}$/.test(key) ? [] : [`${path}: property key ${key}`],
      ),
    ),
  ];
}

/** The keywords of Gemini's `Schema` and of its `parametersJsonSchema` (ai.google.dev/api/caching#Schema). */
const geminiKeywords = new Set(
  `type format title description nullable enum items prefixItems minItems maxItems minimum maximum anyOf oneOf properties
  additionalProperties required default example minLength maxLength pattern minProperties maxProperties propertyOrdering`.split(
    /\s+/,
  ),
);
const geminiFormats: Readonly<Record<string, readonly string[]>> = {
  string: ['date-time', 'enum'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
};

/**
 * Gemini: the errors "items: missing field", "type: must be specified", "enum: only allowed for STRING type", "format: only 'enum' and
 * 'date-time' are supported for STRING type" and "property is not defined" of its API (google-gemini/gemini-cli#3178 and #4400,
 * decolua/9router#380, home-assistant/core#122403), and "Invalid function name" (google-gemini/gemini-cli#2966).
 */
export function geminiRefuses({ name, inputSchema }: ListedTool): readonly string[] {
  const places = placesIn(inputSchema, name).flatMap(({ schema, path }) => {
    const { type, items } = schema;
    const format = typeof schema['format'] === 'string' ? schema['format'] : null;
    const isUnion = Array.isArray(schema['anyOf']) || Array.isArray(schema['oneOf']);
    const values = Array.isArray(schema['enum']) ? schema['enum'] : null;
    const isTextEnum =
      type === 'string' && values?.every((value) => typeof value === 'string' && value !== '') === true;
    const hasItems = isSchema(items) && Object.keys(items).length > 0;
    const isKnownFormat = format === null || geminiFormats[String(type)]?.includes(format) === true;
    return [
      ...Object.keys(schema).flatMap((keyword) => (geminiKeywords.has(keyword) ? [] : [`${path}: unknown ${keyword}`])),
      ...(typeof type === 'string' || isUnion ? [] : [`${path}: type must be specified`]),
      ...(type === 'array' && !hasItems ? [`${path}: items: missing field`] : []),
      ...(values === null || isTextEnum ? [] : [`${path}: enum: only allowed for STRING type`]),
      ...(isKnownFormat ? [] : [`${path}: format ${format}`]),
      ...undefinedNames(schema, path),
    ];
  });
  return /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/.test(name) ? places : [`${name}: invalid function name`, ...places];
}

/** The names that are required and not defined. */
function undefinedNames({ required, properties }: Schema, path: string): readonly string[] {
  const names = Array.isArray(required) ? required.map(String) : [];
  return names.flatMap((name) =>
    isSchema(properties) && name in properties ? [] : [`${path}: ${name} is not defined`],
  );
}

function typesOf({ type }: Schema): readonly unknown[] {
  return Array.isArray(type) ? type : [type];
}

const inMaps = ['properties', 'patternProperties', 'dependencies', '$defs', 'definitions'];
const inLists = ['anyOf', 'allOf', 'oneOf', 'prefixItems', 'items'];
const inValues = ['items', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else', 'contains'];

/** All schemas in a schema, itself first. */
function placesIn(schema: Schema, path: string): readonly Place[] {
  const parts: readonly (readonly [string, unknown])[] = [
    ...inMaps.flatMap((keyword) => Object.entries(isSchema(schema[keyword]) ? schema[keyword] : {})),
    ...inLists.flatMap((keyword) => (Array.isArray(schema[keyword]) ? Object.entries(schema[keyword]) : [])),
    ...inValues.map((keyword) => [keyword, schema[keyword]] as const),
  ];
  return [
    { schema, path },
    ...parts.flatMap(([name, part]) => (isSchema(part) ? placesIn(part, `${path}.${name}`) : [])),
  ];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
