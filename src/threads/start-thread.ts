import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a thread that runs a module beside the caller's, such as `./move-worker-thread`. From the sources, a thread on
 * Node 20 has to load tsx before it can read TypeScript.
 */
export const startThread = (caller: string, module: string, options?: WorkerOptions): Worker => {
  if (caller.endsWith('.js')) return new Worker(new URL(`${module}.js`, caller), options)
  const tsx = import.meta.resolve('tsx/esm/api')
  const thread = new URL(`${module}.ts`, caller).href
  return new Worker(
    `import(${JSON.stringify(tsx)}).then(tsx => tsx.register()).then(() => import(${JSON.stringify(thread)}))`,
    { ...options, eval: true },
  )
}
