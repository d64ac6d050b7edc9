// Loaded into a server that the contract suite tests: CONTRACT_PLANT names a source file, a text in it, and what stands in its place.
import * as modules from 'node:module';

const planted = JSON.parse(process.env['CONTRACT_PLANT'] ?? '{"file":""}');

modules.registerHooks?.({
  load(url, context, next) {
    const loaded = next(url, context);
    if (planted.file === '' || !url.endsWith(`/${planted.file}`)) return loaded;
    const source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
    return { ...loaded, source: source.replace(planted.find, () => planted.replace) };
  },
});
