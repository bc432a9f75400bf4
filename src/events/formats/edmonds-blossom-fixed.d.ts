declare module 'edmonds-blossom-fixed' {
  /** The mate of each vertex, −1 for none, up to the last vertex that has an edge. */
  export default function blossom(
    edges: readonly [number, number, number][],
    maxCardinality: boolean,
  ): number[]
}
