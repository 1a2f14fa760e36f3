// How much a test tries: a small size in `npm test`, the stated one in `npm run test:full`.

export const isFull = process.env.BATON_TEST_SIZE === 'full';

export const size = (small: number, full: number): number => (isFull ? full : small);
