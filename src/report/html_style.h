// The style sheet of the HTML report. Colours come from plot_style()'s custom properties.
#pragma once

#include <string_view>

namespace ridge::report {

inline constexpr std::string_view kHtmlStyle = R"css(
:root{--good:#1a7f4b;--bad:#c0322b;--warn:#9a6700;--note:#2f6fb0;--card:#f7f8fa}
@media(prefers-color-scheme:dark){:root{--good:#4cc38a;--bad:#ff8078;--warn:#e3b341;--note:#7ab7f0;--card:#1b2026}}
*{box-sizing:border-box}
html{background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;-webkit-text-size-adjust:100%}
body{margin:0}
main{max-width:61rem;margin:0 auto;padding:2rem 1.25rem 3rem}
h1,h2,h3,p,dl,dd,figure,ul{margin:0;padding:0}
h1{font-size:clamp(1.25rem,1rem + 1.4vw,1.7rem);line-height:1.3;font-weight:650;letter-spacing:-.01em;max-width:48rem;text-wrap:balance;overflow-wrap:anywhere}
h2,figcaption{font-size:1.05rem;line-height:1.35;font-weight:650;overflow-wrap:anywhere}
.command{font:.85rem/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;color:var(--soft);margin-bottom:.6rem;overflow-wrap:anywhere}
.answer{display:inline-block;font-size:.8rem;line-height:1;font-weight:700;letter-spacing:.02em;padding:.3em .65em;border-radius:1em;margin-bottom:.6rem;color:var(--paper)}
.yes{background:var(--good)}.no{background:var(--bad)}
section,main>figure,main>details{margin-top:2.25rem}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(13.5rem,100%),1fr));gap:.75rem;margin-top:1.75rem}
.figures>div{background:var(--card);border:1px solid var(--grid);border-radius:.5rem;padding:.75rem .9rem;min-width:0;overflow-wrap:anywhere}
.figures dt{font-size:.83rem;line-height:1.35;color:var(--soft)}
.figures .value{font-size:1.35rem;line-height:1.35;font-weight:600;font-variant-numeric:tabular-nums;letter-spacing:-.01em}
.figures .value small{font-size:.62em;font-weight:500;color:var(--soft);letter-spacing:0;white-space:nowrap}
.figures .word{font-size:1.05rem}
.figures .basis{font-size:.75rem;line-height:1.4;color:var(--soft);margin-top:.15rem}
.figures a{color:inherit}
.findings{list-style:none;display:grid;gap:.75rem}
.findings li{border-left:4px solid var(--tone);background:var(--card);border-radius:0 .5rem .5rem 0;padding:.65rem .95rem;overflow-wrap:anywhere}
.findings strong{color:var(--tone);margin-right:.35em}
.findings .evidence{color:var(--soft);font-size:.92rem;margin-top:.1rem}.findings .advice{font-size:.92rem;margin-top:.25rem}
.error{--tone:var(--bad)}.warning{--tone:var(--warn)}.info{--tone:var(--note)}
.scroll{overflow-x:auto;margin-top:.6rem;border:1px solid var(--grid);border-radius:.5rem}
.scroll:focus-visible{outline:2px solid var(--note);outline-offset:2px}
table{border-collapse:separate;border-spacing:0;width:100%;font-size:.9rem;line-height:1.4}
th,td{padding:.45rem .8rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--grid)}
tbody tr:last-child>*{border-bottom:0}
thead th{vertical-align:bottom;font-weight:600;font-size:.82rem;background:var(--card)}
thead span{display:block;font-weight:400;color:var(--soft)}
tbody th,td{white-space:nowrap}td{min-width:4.5rem}
tbody .t{white-space:normal;overflow-wrap:break-word;min-width:15rem;max-width:26rem}
tbody th{font-weight:500}
.n{text-align:right;font-variant-numeric:tabular-nums}
tbody tr:hover>*{background:var(--card)}
thead th:first-child,tbody th{position:sticky;left:0;background:var(--paper);z-index:1}
thead th:first-child{background:var(--card)}
.note{font-size:.85rem;color:var(--soft);margin-top:.5rem;overflow-wrap:anywhere}
.plot{display:block;width:100%;height:auto;margin-top:.5rem}
.narrow{display:none;max-width:30rem}
@media(max-width:760px){.wide{display:none}.narrow{display:block}}
@media(max-width:600px){main{padding:1.25rem 1rem 2rem}.figures{grid-template-columns:repeat(2,minmax(0,1fr));gap:.6rem}
.figures>div{padding:.6rem .7rem}.figures .value{font-size:1.15rem}.figures dt{font-size:.78rem}tbody th.t{min-width:9rem;max-width:42vw}th,td{padding:.4rem .6rem}}
summary{cursor:pointer;font-weight:650}
figure summary{font-weight:400;font-size:.85rem;color:var(--soft);margin-top:.5rem}
.step{margin-top:1.1rem;padding-top:1.1rem;border-top:1px solid var(--grid);overflow-wrap:anywhere}
.step h3{font-size:.95rem;font-weight:600}
.step .result{font-weight:600;margin-top:.5rem}
.step:target{outline:2px solid var(--note);outline-offset:.5rem;border-radius:.25rem}
.pairs{display:grid;grid-template-columns:minmax(6rem,max-content) 1fr;gap:.2rem 1.25rem;margin-top:.6rem;font-size:.9rem}
.pairs dt{color:var(--soft)}.pairs dd{overflow-wrap:anywhere}
footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--grid);font-size:.8rem;color:var(--soft)}
@media print{main{max-width:none;padding:0}.scroll{overflow:visible}figure,.findings li,.figures>div{break-inside:avoid}}
)css";

}  // namespace ridge::report
