export declare function createRandom(seed: number): (below: number) => number;
