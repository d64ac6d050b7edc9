// Loaded into each process that is tested: PLANTED names a source file, a text in it, and what stands in its place. Whoever loads or reads
// the file finds that.
import fs from 'node:fs';
import * as modules from 'node:module';

const planted = JSON.parse(process.env['PLANTED'] || '{"file":""}');

if (planted.file !== '') {
  const isPlanted = (path) => path.replaceAll('\\', '/').endsWith(planted.file) && !path.includes('test/planted/');
  const changed = (text) => text.replace(planted.find, () => planted.replace);
  modules.registerHooks?.({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!isPlanted(url)) return loaded;
      const source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
      return { ...loaded, source: changed(source) };
    },
  });
  const read = fs.readFileSync;
  fs.readFileSync = (path, ...options) => {
    const found = read(path, ...options);
    return typeof found === 'string' && typeof path === 'string' && isPlanted(path) ? changed(found) : found;
  };
  modules.syncBuiltinESMExports();
}
