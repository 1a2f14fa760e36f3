// Why a merge could not be made. It travels up to runMerge and becomes a MergeResult with status "failed".

export class MergeStop extends Error {
  override name = 'MergeStop';
}
