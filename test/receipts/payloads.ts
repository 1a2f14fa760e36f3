// Payloads in the very shape Claude Code 2.1.326 sends: one line of JSON and a newline.

const session_id = '719dabcf-1111-4000-8000-000000000000';
const common = {
  session_id,
  transcript_path: `/home/demo/.claude/projects/-home-demo-repo/${session_id}.jsonl`,
  cwd: '/home/demo/repo',
};
const asked = { ...common, prompt_id: '616c5ae5-1111-4000-8000-000000000000', permission_mode: 'default' };
const line = (value: object) => `${JSON.stringify(value)}\n`;

export const SESSION = session_id;

export const startPayload = (source = 'startup') =>
  line({ ...common, hook_event_name: 'SessionStart', source, model: 'claude-opus-5-5' });
export const endPayload = (reason = 'clear') => line({ ...common, hook_event_name: 'SessionEnd', reason });
export const promptPayload = (prompt: string) => line({ ...asked, hook_event_name: 'UserPromptSubmit', prompt });
export const stopPayload = (last_assistant_message = 'done') =>
  line({ ...asked, hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message, background_tasks: [] });
export const failurePayload = (extra: object = {}) =>
  line({
    ...asked,
    hook_event_name: 'StopFailure',
    error: 'rate_limit',
    last_assistant_message: 'API Error: 429',
    ...extra,
  });
export const permissionPayload = (tool_name: string, tool_input: object) =>
  line({ ...asked, hook_event_name: 'PermissionRequest', tool_name, tool_input, permission_suggestions: [] });
export const compactPayload = (trigger = 'auto') =>
  line({ ...asked, hook_event_name: 'PreCompact', trigger, custom_instructions: null });
export const toolPayload = (tool_name: string, stdout: string) =>
  line({
    ...asked,
    hook_event_name: 'PostToolUse',
    tool_name,
    tool_input: { command: 'echo' },
    tool_response: { stdout, stderr: '', interrupted: false },
    tool_use_id: 'toolu_1',
    duration_ms: 109,
  });
export const noticePayload = () =>
  line({
    ...common,
    hook_event_name: 'Notification',
    message: 'Claude needs your permission',
    notification_type: 'permission_prompt',
  });

const usage = {
  input_tokens: 3,
  output_tokens: 13,
  cache_creation_input_tokens: 1200,
  cache_read_input_tokens: 44_000,
};
export const usedContext = {
  total_input_tokens: 45_203,
  total_output_tokens: 13,
  context_window_size: 200_000,
  current_usage: usage as object | null,
  used_percentage: 23 as number | null,
  remaining_percentage: 77 as number | null,
};
export const newContext = {
  ...usedContext,
  total_input_tokens: 0,
  current_usage: null,
  used_percentage: null,
  remaining_percentage: null,
};

export const statusPayload = (context_window: object = usedContext, extra: object = {}) =>
  line({
    ...common,
    prompt_id: asked.prompt_id,
    effort: { level: 'medium' },
    model: { id: 'claude-opus-5-5', display_name: 'Opus 5.5' },
    workspace: { current_dir: common.cwd, project_dir: common.cwd, added_dirs: [] },
    version: '2.1.326',
    output_style: { name: 'default' },
    cost: { total_cost_usd: 0.0104, total_duration_ms: 2391, total_api_duration_ms: 233, total_lines_added: 0 },
    context_window,
    exceeds_200k_tokens: false,
    prompt_cache: { warm: true, caching_observed: true, ttl: '5m', expires_at: 1794979622, requests: 1, misses: 0 },
    fast_mode: false,
    thinking: { enabled: true },
    ...extra,
  });
