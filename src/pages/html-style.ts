// The look of the HTML page: light and dark by the reader's own choice, for screens and paper.

export const style = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1c2128;--dim:#59636e;--line:#d1d9e0;--soft:#f6f8fa;--ok:#1a7f37;--bad:#cf222e;--warn:#9a6700;--run:#0969da}
@media(prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--dim:#9198a1;--line:#30363d;--soft:#161b22;--ok:#3fb950;--bad:#f85149;--warn:#d29922;--run:#4493f8}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif}
main{max-width:1000px;margin:0 auto;padding:28px 20px 60px}
h1{font-size:24px;margin:0 0 4px;overflow-wrap:anywhere}h2{font-size:18px;margin:34px 0 10px;padding-bottom:6px;border-bottom:1px solid var(--line)}h3{font-size:15px;margin:0}
p{margin:6px 0}.dim{color:var(--dim)}code{font:13px ui-monospace,monospace;background:var(--soft);padding:1px 5px;border-radius:4px;overflow-wrap:anywhere}
.state{font-weight:600;white-space:nowrap}.state.success{color:var(--ok)}.state.failure,.state.timeout{color:var(--bad)}.state.partial_success,.state.cancelled,.state.parked{color:var(--warn)}.state.running{color:var(--run)}.state.pending,.state.skipped{color:var(--dim)}
.facts{display:flex;flex-wrap:wrap;gap:10px;margin:16px 0;padding:0}.facts div{background:var(--soft);border:1px solid var(--line);border-radius:8px;padding:8px 14px;min-width:110px}.facts dt{color:var(--dim);font-size:12px}.facts dd{margin:0;font-weight:600}
table{border-collapse:collapse;width:100%;font-size:14px}th,td{text-align:left;padding:6px 10px;border-bottom:1px solid var(--line);overflow-wrap:anywhere}th{color:var(--dim);font-weight:500}td.n,th.n{text-align:right;white-space:nowrap}td:first-child{min-width:9em}
.wide{overflow-x:auto}.card{border:1px solid var(--line);border-radius:8px;padding:12px 16px;margin:12px 0}.card ul{margin:8px 0 0}
ul{padding-left:20px;margin:6px 0}li{overflow-wrap:anywhere}
svg{max-width:100%;height:auto;display:block}svg.time{min-width:620px}svg.graph{max-width:none}.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:16px}figure{margin:0}figcaption{font-size:13px;color:var(--dim)}
svg text{font:12px system-ui,sans-serif;fill:var(--fg)}svg .tick{fill:var(--dim);font-size:11px}svg .grid{stroke:var(--line);stroke-width:1}
svg .bar{fill:var(--dim)}svg .bar.success{fill:var(--ok)}svg .bar.failure,svg .bar.timeout{fill:var(--bad)}svg .bar.running{fill:var(--run)}svg .mark{fill:var(--warn);stroke:var(--bg)}svg.time .mark{fill:var(--bg);stroke:var(--fg)}
svg .edge{fill:none;stroke:var(--dim);stroke-width:1.5}svg .box{fill:var(--soft);stroke:var(--line);stroke-width:1.5}svg .box.success{stroke:var(--ok)}svg .box.failure,svg .box.timeout{stroke:var(--bad)}svg .box.running{stroke:var(--run)}svg .box.parked{stroke:var(--warn)}
svg .curve{fill:none;stroke:var(--run);stroke-width:1.8}svg .dot{fill:var(--run)}svg .limit{stroke:var(--warn);stroke-width:1.2;stroke-dasharray:5 4}
.key{font-size:13px;color:var(--dim);margin-top:6px}
@media(max-width:500px){main{padding:18px 14px 40px}th,td{padding:6px}}
@media print{.wide{overflow:visible}svg.graph{max-width:100%}}
@media print{main{max-width:none}.card{break-inside:avoid}}
`;
