// Waits that end early when something happened. A ring while nobody waits is not lost.

export type Bell = { ring(): void; wait(ms: number): Promise<void> };

export function makeBell(): Bell {
  let hasRung = false;
  let waiting = () => {};
  return {
    ring() {
      hasRung = true;
      waiting();
    },
    async wait(ms) {
      if (!hasRung) {
        await new Promise<void>(resolve => {
          const timer = setTimeout(resolve, ms);
          waiting = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      hasRung = false;
      waiting = () => {};
    },
  };
}
