import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { repeatedOf } from '#test/architecture/specification.ts';
import { allMutants } from '#test/mutants/lists/all.ts';
import { outsideMutants } from '#test/mutants/outside/list.ts';
import { suites } from '#test/support/contracts/suites.ts';

const all = allMutants.flatMap(({ port, mutants }) => mutants.map((mutant) => ({ port, ...mutant })));

describe('the mutants of the adapters', () => {
  it('number at least fifteen for each port, and 250 in all', () => {
    expect(allMutants.filter(({ mutants }) => mutants.length < 15).map(({ port }) => port)).toEqual([]);
    expect(all.length).toBeGreaterThanOrEqual(250);
  });

  it('exist for each port that has a suite; vendors are no port, and are broken in a test of their own', () => {
    const ports = suites.map(({ file }) => file).filter((file) => file !== 'vendor');
    expect(allMutants.map(({ port }) => port).toSorted()).toEqual(ports.toSorted());
  });

  it('replace a text that exists in the file', () => {
    const stale = all.filter((mutant) => 'file' in mutant && !readFileSync(mutant.file, 'utf8').includes(mutant.find));
    expect(stale.map(({ port, on, way }) => `${port} on ${on}: ${way}`)).toEqual([]);
  });

  it('have descriptions that are unique within their port and adapter', () => {
    expect(repeatedOf(all.map(({ port, on, way }) => `${port} on ${on}: ${way}`))).toEqual([]);
  });
});

describe('the faults that the contract suite sees from outside', () => {
  it('change a text that is in its source', () => {
    const lost = outsideMutants.filter(
      ({ file, find }) => !existsSync(file) || !readFileSync(file, 'utf8').includes(find),
    );
    expect(lost.map(({ file, way }) => `${file}: ${way}`)).toEqual([]);
  });

  it('have names of their own', () => {
    expect(repeatedOf(outsideMutants.map(({ way }) => way))).toEqual([]);
  });
});
