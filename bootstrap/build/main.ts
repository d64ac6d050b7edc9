// `npm run build` writes the package to `dist`; `npm pack` makes a tarball of it.
import { buildPackage } from '#bootstrap/build/build-package.ts';

await buildPackage('dist');
