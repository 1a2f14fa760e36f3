// Runs many small waits at once, but not all of them at once. Results stand in the order of the items.

export const FILES_AT_ONCE = 16;

// After a failure nothing new starts, and what runs is waited for: nobody cleans up beside a living writer.
export async function inBatches<T, R>(items: T[], atOnce: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const worker = async () => {
    try {
      for (let i = next++; i < items.length; i = next++) results[i] = await work(items[i]!);
    } catch (error) {
      next = items.length;
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  const failed = ends.find(end => end.status === 'rejected');
  if (failed) throw failed.reason;
  return results;
}
