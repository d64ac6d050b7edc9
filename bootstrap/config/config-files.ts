/** The file names of a configuration in the working directory. */
export const configFileNames: readonly string[] = ['portolan.config.ts', 'portolan.config.js', 'portolan.config.mjs'];
