/** Frees the WebAssembly instances that YARA-X makes. */

/** The part of an instance that YARA-X reads. */
interface Instance {
  exports?: unknown;
}

/** Node has it, and its types do not. */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: { Instance: new (module: unknown, imports: unknown) => Instance };
};

/**
 * Runs `scan`, and frees the instances that it made. YARA-X 1.20 makes an instance with a memory of 64 kB for every scan, and its table of
 * references keeps the object that it was given for ever. So it is given an object that has nothing but the exports, and that has nothing
 * after the scan. A scan is synchronous, so no other code sees the replaced constructor.
 */
export function withReleasedInstances<Answer>(scan: () => Answer): Answer {
  const own = wasm.Instance;
  const made: Instance[] = [];
  const instantiate = function instantiate(module: unknown, imports: unknown): Instance {
    const light = { exports: new own(module, imports).exports };
    made.push(light);
    return light;
  };
  wasm.Instance = instantiate as unknown as typeof own;
  try {
    return scan();
  } finally {
    wasm.Instance = own;
    for (const light of made) delete light.exports;
  }
}
