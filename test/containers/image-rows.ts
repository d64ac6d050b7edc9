import { setTimeout as delay } from 'node:timers/promises';
import { until } from '#test/containers/client.ts';
import type { Engine } from '#test/containers/engine.ts';
import {
  changeDeal,
  demandGreen,
  person,
  read,
  removeAll,
  start,
  stop,
  url,
  write,
} from '#test/containers/one-container.ts';
import { demand, type Row } from '#test/containers/row.ts';
import { signedInAt } from '#test/support/server/signed-in.ts';
import { salesCrmSecret } from '#test/support/webhooks/webhook-senders.ts';

const sizeOf = async (engine: Engine, image: string): Promise<number> =>
  Number(await engine.run('image', 'inspect', '--format', '{{.Size}}', image));

/** Lists the packages that are in the image, and those of its bill of materials that should be installed, as one JSON text. */
const inventory = `const fs=require('node:fs');const found=[];const look=(folder)=>{for(const name of fs.existsSync(folder)?fs.readdirSync(folder):[]){
const path=folder+'/'+name;if(name.startsWith('@'))look(path);else if(fs.existsSync(path+'/package.json')){found.push(path);look(path+'/node_modules')}}};look('node_modules');
const bom=JSON.parse(fs.readFileSync('sbom.cdx.json','utf8')).components.map(({properties:[{value}]})=>value).filter((place)=>place!=='dist');
const files=fs.readdirSync('.',{recursive:true}).filter((path)=>/\\.(?:map|d\\.ts)$/.test(path));console.log(JSON.stringify({found:found.sort(),bom:bom.sort(),files}))`;

/** What holds of one container. */
export const imageRows: readonly Row[] = [
  {
    name: 'image-contents',
    isLong: false,
    run: async ({ engine, image, images }) => {
      const base =
        images.NODE_IMAGE ??
        (await engine.run('image', 'inspect', '--format', '{{index .RepoTags 0}}', 'node:24.21.0-slim'));
      const above = ((await sizeOf(engine, image)) - (await sizeOf(engine, base))) / 1e6;
      demand(above <= 50, `${above.toFixed(1)} MB above the base`);
      const said: Readonly<{ found: string[]; bom: string[]; files: string[] }> = JSON.parse(
        await engine.run('run', '--rm', '--network=none', '--entrypoint', 'node', image, '-e', inventory),
      );
      demand(JSON.stringify(said.found) === JSON.stringify(said.bom), 'its bill of materials is not what is in it');
      demand(said.files.length === 0, `it has ${said.files.length} source maps and types`);
      const labels = await engine.run('image', 'inspect', '--format', '{{json .Config.Labels}}', image);
      demand(/"org\.opencontainers\.image\.version":"\d/.test(labels), `labels: ${labels}`);
      return `${above.toFixed(1)} MB above its base, ${said.found.length} packages beside its files, as its bill of materials says`;
    },
  },
  {
    name: 'hardened-run',
    isLong: false,
    run: async (stand) => {
      const { engine, image } = stand;
      await removeAll(stand);
      const began = Date.now();
      const { target, doctor } = await start(engine, image);
      const seconds = (Date.now() - began) / 1_000;
      await demandGreen(await doctor());
      const browser = await signedInAt(url, person);
      demand((await browser.get('/floki/index')).status === 200, 'nobody can sign in');
      demand(
        (await write(target, 'First.md')) === null && (await read(target, 'First.md')) === null,
        'a note cannot be written',
      );
      const stream = await fetch(`${url}/sse`, {
        headers: { authorization: `Bearer ${target.token}`, accept: 'text/event-stream' },
      });
      const first = await stream.body?.getReader().read();
      demand(new TextDecoder().decode(first?.value).includes('event: endpoint'), 'its stream says nothing');
      const doctored = await engine.run('run', '--rm', '--volume', 'portolan-one:/data', image, '--version');
      demand(/^\d+\.\d+\.\d+$/.test(doctored), `its command says ${doctored}`);
      return `read-only root, no capabilities, 512 MB, 200 processes: ready in ${seconds.toFixed(1)} s; doctor, sign-in, a call, a stream`;
    },
  },
  {
    name: 'stop',
    isLong: false,
    run: async (stand) => {
      const { engine, image } = stand;
      const { target } = await start(engine, image);
      demand((await write(target, 'Before the stop.md')) === null, 'a note cannot be written');
      const drained = await stop(engine);
      demand(drained.code === 0 && drained.seconds < 11, `ended with ${drained.code} in ${drained.seconds} s`);
      const again = await start(engine, image, [], ['DRAIN_MS=0']);
      demand((await read(again.target, 'Before the stop.md')) === null, 'the note is gone');
      const quick = await stop(engine);
      demand(quick.code === 0, `ended with ${quick.code}`);
      await engine.run('rm', 'portolan-one');
      await engine.run(
        'run',
        '--detach',
        '--name',
        'portolan-one',
        '--volume',
        'portolan-one:/data',
        '--env',
        `BASE_URL=${url}`,
        image,
      );
      await delay(300);
      const early = await stop(engine);
      demand(early.code === 0 || early.code === 143, `a stop in its start ended with ${early.code}`);
      demand(early.seconds < 8, `a stop in its start took ${early.seconds} s`);
      return `0 in ${drained.seconds.toFixed(1)} s, with DRAIN_MS=0 in ${quick.seconds.toFixed(1)} s, in its start in ${early.seconds.toFixed(1)} s`;
    },
  },
  {
    name: 'kill',
    isLong: false,
    run: async (stand) => {
      const { engine, image } = stand;
      const { target } = await start(engine, image);
      demand((await write(target, 'Before the kill.md')) === null, 'a note cannot be written');
      await engine.run('kill', '--signal=KILL', 'portolan-one');
      const again = await start(engine, image);
      demand((await read(again.target, 'Before the kill.md')) === null, 'an acknowledged note is gone');
      await demandGreen(await again.doctor());
      return 'what was acknowledged is there after SIGKILL and a start';
    },
  },
  {
    name: 'replace',
    isLong: false,
    run: async (stand) => {
      const { engine, image } = stand;
      await stop(engine);
      await engine.run('rm', 'portolan-one');
      const { target, doctor } = await start(engine, image, ['--user', '1000:0']);
      for (const note of ['First.md', 'Before the stop.md', 'Before the kill.md']) {
        demand((await read(target, note)) === null, `${note} is gone`);
      }
      await demandGreen(await doctor());
      return 'a new container goes on with the volume of the old one: every note, doctor green';
    },
  },
  {
    name: 'any-user',
    isLong: false,
    run: async (stand) => {
      const { engine, image } = stand;
      await removeAll(stand);
      const { doctor } = await start(engine, image, ['--user', '12345:0']);
      await demandGreen(await doctor());
      await removeAll(stand);
      const refused = await engine
        .run(
          'run',
          '--rm',
          '--user',
          '12345:12345',
          '--volume',
          'portolan-one:/data',
          '--env',
          `BASE_URL=${url}`,
          image,
        )
        .catch(String);
      demand(
        /DATA_DIR: \/data cannot be written \(EACCES\)\. It belongs to user 1000/.test(refused),
        `it said ${refused}`,
      );
      await removeAll(stand);
      return 'runs under user 12345 of group 0; under another group it says whose the folder is';
    },
  },
  {
    name: 'upgrade',
    isLong: false,
    needs: ['former'],
    run: async (stand) => {
      const { engine, image, former } = stand;
      if (former === null) throw new Error('there is no former image');
      await removeAll(stand);
      const settings = [`SALES_CRM_WEBHOOK_SECRET=${salesCrmSecret}`];
      const before = await start(engine, former, [], settings);
      demand((await write(before.target, 'Of the former release.md')) === null, 'the former release writes no note');
      await changeDeal(before.target, 100);
      await stop(engine);
      await engine.run('rm', 'portolan-one');
      const { target, doctor } = await start(engine, image, [], settings);
      demand((await read(target, 'Of the former release.md')) === null, 'its note is gone');
      await changeDeal(target, 250);
      const browser = await signedInAt(url, person);
      demand((await browser.get('/floki/index')).status === 200, 'its user cannot sign in');
      const said = await doctor();
      await demandGreen(said);
      const changes = /with all (\d+) schema changes/.exec(said)?.[1];
      await until('stopped', async () => ((await stop(engine)).code === 0 ? null : 'no'));
      await removeAll(stand);
      return `from the image of the former release: note, the deal of a delivery, user and key are there, ${changes} schema changes`;
    },
  },
];
