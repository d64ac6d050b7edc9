/** The path in a resource's URI after its scheme; null for a URI of another scheme, or one that cannot be decoded. */
export function pathInUri(uri: string, scheme: string): string | null {
  if (!uri.startsWith(scheme)) return null;
  try {
    return decodeURIComponent(uri.slice(scheme.length));
  } catch {
    return null;
  }
}
