/** What the banner tells. `firstPassword` is there at the first start only, and is printed this once. */
export type BannerFacts = Readonly<{
  version: string;
  baseUrl: string;
  adminEmail: string;
  firstPassword: string | null;
  /** Where the notes are: a folder, or the address of a notes app. */
  notes: string;
}>;

/** What a person sees when the server is up: where it is, how to sign in, where the notes are, how to connect a client. */
export function banner({ version, baseUrl, adminEmail, firstPassword, notes }: BannerFacts): string {
  const mcp = `${baseUrl}/message`;
  const signIn =
    firstPassword === null
      ? [`${baseUrl}/login`]
      : [`${baseUrl}/login`, `e-mail    ${adminEmail}`, `password  ${firstPassword}   (shown this once)`];
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['Home', [`${baseUrl}/floki/index`]],
    ['Sign in', signIn],
    ['MCP', [mcp, `${baseUrl}/sse   (clients of the older transport)`]],
    ['Notes', [notes]],
    [
      'Connect',
      [`claude mcp add --transport http portolan ${mcp}`, `Cursor, VS Code: {"url": "${mcp}"} in their mcp.json`],
    ],
    ['Stop', ['Ctrl-C']],
  ];
  const lines = rows.flatMap(([label, texts]) =>
    texts.map((text, index) => `  ${(index === 0 ? label : '').padEnd(9)} ${text}`),
  );
  return ['', `  Portolan ${version} is ready`, '', ...lines, '', ''].join('\n');
}
