/** The names under which a configuration is looked for in the working directory. */
export const configFileNames: readonly string[] = ['portolan.config.ts', 'portolan.config.js', 'portolan.config.mjs'];
