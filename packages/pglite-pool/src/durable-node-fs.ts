// PGlite's file system for Node, with the fsync that it leaves out.
import { fsyncSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** The parts of Emscripten's NODEFS that are touched; PGlite's types do not name them. */
interface EmscriptenNodeFs {
  readonly stream_ops: { fsync?: (stream: { readonly nfd: number }) => number }
  tryFSOperation<T>(operation: () => T): T
}

type InitOptions = Parameters<NodeFS['init']>[1]

/**
 * Files in a folder of the host where fsync reaches the disk. An error of fsync reaches PostgreSQL
 * as its errno.
 */
export class DurableNodeFs extends NodeFS {
  override async init(pg: PGlite, options: InitOptions): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options)
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        preRun: [
          ...(emscriptenOpts.preRun ?? []),
          (module: { readonly NODEFS: EmscriptenNodeFs }) => {
            const nodeFs = module.NODEFS
            nodeFs.stream_ops.fsync = (stream) => {
              nodeFs.tryFSOperation(() => fsyncSync(stream.nfd))
              return 0
            }
          },
        ],
      },
    }
  }
}
