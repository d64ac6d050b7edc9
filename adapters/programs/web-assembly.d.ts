/** What the sandbox uses of WebAssembly, which Node has and its types do not name. */
declare namespace WebAssembly {
  interface Module {
    readonly isModule: true;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
