import type { Credentials } from '#adapters/services/definitions/dialect.ts';
import type { OpenApiDocument } from '#adapters/services/from-openapi/document.ts';
import type { FoundOperation } from '#adapters/services/from-openapi/found-operation.ts';
import { type Json, jsonOr, listOr, textOrNull, valueAt } from '#adapters/services/from-openapi/json.ts';
import { isObject } from '#domain/json/json-data.ts';
import { own } from '#domain/shared/own.ts';
import { nearest } from '#domain/text/nearest.ts';

/** How users authenticate to a service. */
export type OpenApiAuth =
  /** A key in a header or the query; `prefix` precedes it in the header, e.g. 'Token '. */
  | Readonly<{ kind: 'apiKey'; in: 'header' | 'query'; name: string; prefix?: string }>
  /** A personal token, sent as `Authorization: Bearer`. */
  | Readonly<{ kind: 'bearer' }>
  /** A user name and password joined by a colon, sent as `Authorization: Basic`. */
  | Readonly<{ kind: 'basic' }>
  /** OAuth authorization code; a personal token is accepted as well unless `onlyOAuth`. */
  | Readonly<{
      kind: 'oauth2';
      authorizationUrl?: string;
      tokenUrl?: string;
      scopes?: readonly string[];
      /** Whether to use PKCE (S256); true by default. */
      pkce?: boolean;
      /** Where the app's id and secret are sent; in the body by default. */
      clientAuthentication?: 'body' | 'basic';
      onlyOAuth?: boolean;
    }>;

/** Returns the named scheme, else the first supported one that the operations require. */
export function authOf(document: OpenApiDocument, found: readonly FoundOperation[], named: string | null): OpenApiAuth {
  const place = ['components', 'securitySchemes'];
  const schemes = jsonOr(valueAt(document.root, place));
  const known = Object.keys(schemes);
  if (named !== null && !known.includes(named)) {
    const near = nearest(named, known)[0];
    const hint = near === undefined ? '' : `; did you mean "${near}"`;
    throw document.fault(place, `has no "${named}"${hint}; it has ${known.length === 0 ? 'none' : known.join(', ')}`);
  }
  const names = named === null ? [...new Set([...requiredBy(document, found), ...known])] : [named];
  for (const name of names) {
    const auth = authIn(document.resolved(schemes[name], [...place, name]));
    if (auth !== null) return auth;
  }
  throw document.fault(
    [...place, ...(named === null ? [] : [named])],
    `has nothing that is supported: an API key in a header or the query, HTTP bearer or basic, or an OAuth2 authorization code; give one as \`auth\`, such as { kind: 'bearer' }`,
  );
}

/** The schemes that the operations require, most frequent first. */
function requiredBy(document: OpenApiDocument, found: readonly FoundOperation[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { operation } of found) {
    for (const requirement of listOr(operation['security'] ?? document.root['security'])) {
      for (const name of Object.keys(jsonOr(requirement))) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts].toSorted(([, left], [, right]) => right - left).map(([name]) => name);
}

function authIn(scheme: Json): OpenApiAuth | null {
  const { type, in: place, flows } = scheme;
  const [name, http] = [textOrNull(scheme['name']), String(scheme['scheme']).toLowerCase()];
  if (type === 'apiKey' && (place === 'header' || place === 'query') && name !== null) {
    return { kind: 'apiKey', in: place, name };
  }
  if (type === 'http' && (http === 'bearer' || http === 'basic')) return { kind: http };
  const flow = jsonOr(flows)['authorizationCode'];
  return type === 'oauth2' && isObject(flow) ? codeFlow(flow) : null;
}

function codeFlow(flow: Json): OpenApiAuth {
  const [authorizationUrl, tokenUrl] = ['authorizationUrl', 'tokenUrl'].map((name) => textOrNull(own(flow, name)));
  return {
    kind: 'oauth2',
    ...(authorizationUrl == null ? {} : { authorizationUrl }),
    ...(tokenUrl == null ? {} : { tokenUrl }),
    scopes: Object.keys(jsonOr(flow['scopes'])),
  };
}

/** Builds a request's credentials from a token. */
export function credentialsFor(auth: OpenApiAuth, token: string): Credentials {
  switch (auth.kind) {
    case 'apiKey':
      return auth.in === 'query'
        ? { query: { [auth.name]: token } }
        : { headers: { [auth.name.toLowerCase()]: `${auth.prefix ?? ''}${token}` } };
    case 'basic':
      return { headers: { authorization: `Basic ${Buffer.from(token).toString('base64')}` } };
    case 'bearer':
    case 'oauth2':
      return { headers: { authorization: `Bearer ${token}` } };
  }
}
