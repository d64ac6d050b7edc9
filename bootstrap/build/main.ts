// `npm run build` writes the package to `package`; `npm pack ./package` makes a tarball of it.
import { writePackage } from '#bootstrap/build/write-package.ts';

await writePackage('package');
