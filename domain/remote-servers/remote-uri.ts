import type { ServiceKey } from '#domain/services/service-key.ts';

const prefix = 'portolan://servers/';
/** The maximum length of a remote server's own URI, in characters: with what is before it, clients can watch and quote it. */
const maxRemoteUri = 1_900;

/** A resource of a remote server: the service, and the URI that the server gives it. */
type RemoteUri = Readonly<{ service: ServiceKey; uri: string }>;

/**
 * The URI of a remote server's resource here: the service, and the server's own URI as it is, so that a template stays
 * one. It is of no scheme that a client opens by itself.
 */
export function remoteUri(service: ServiceKey, uri: string): string {
  return `${prefix}${service}/${uri}`;
}

/** The service and the server's own URI in one of these; null for any other URI, and one that is no URI within bounds. */
export function readRemoteUri(address: string): RemoteUri | null {
  const [, service, uri] = /^portolan:\/\/servers\/([a-z_]{1,64})\/(.+)$/s.exec(address) ?? [];
  return service === undefined || uri === undefined || !isRemoteUri(uri) ? null : { service, uri };
}

/** Whether a text is a URI (RFC 3986), or one in letters of any script, within bounds and without unseen characters. */
export function isRemoteUri(text: string): boolean {
  return text.length <= maxRemoteUri && /^[a-z][a-z0-9+.-]*:[^\s"<>\\^`{|}]+$/i.test(text) && !unseen.test(text);
}

/** Whether a text is a template of such URIs (RFC 6570). */
export function isRemoteTemplate(text: string): boolean {
  return (
    /^[a-z][a-z0-9+.-]*:/i.test(text) &&
    isRemoteUri(text.replaceAll(/\{[+#./;?&]?[\w.%:*,]{1,100}\}/g, 'x')) &&
    text.length <= maxTemplate
  );
}

/** The maximum length of a template, in characters. */
const maxTemplate = 180;

const unseen = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
