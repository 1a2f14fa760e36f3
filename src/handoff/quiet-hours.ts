// Is it quiet just now? A span of the day such as "22:00-07:00", by the clock on the wall. Pure.

export function isQuietHour(span: string | null, minuteOfDay: number): boolean {
  if (span === null) return false;
  const [from, to] = span.split('-').map(minutes) as [number, number];
  return from < to ? minuteOfDay >= from && minuteOfDay < to : minuteOfDay >= from || minuteOfDay < to;
}

const minutes = (time: string): number => {
  const [hour, minute] = time.split(':').map(Number) as [number, number];
  return hour * 60 + minute;
};
