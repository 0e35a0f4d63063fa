/*
 * report/style.c - the report's style sheet (contract: report_private.h). Colours are variables, for light and
 * for dark; the classes k1, k2, ... are the ways of gw_accumulate in their order. No colour says anything
 * alone: a word or a letter stands with it.
 */
#include "rewriters/report/report_private.h"

#include "analysis/ir/rungs.h"

enum { COLOUR = sizeof "#006731" }; /* and what parts it from the next */

static void put_colours(gw_text *out, unsigned dark) {
    for (unsigned how = GW_ACCUMULATE_UNDECIDED + 1; how < GW_ACCUMULATE_COUNT; how++) {
        const char *ink = gw_way(how)->colours + 2 * dark * COLOUR;
        gw_text_addf(out, ".k%u{--c:%.7s;--t:%.7s}%s", how, ink, ink + COLOUR, how % 4 ? "" : "\n");
    }
    gw_text_add(out, "\n");
}

static const char light[] =
    ":root{color-scheme:light "
    "dark;--bg:#fbfbf9;--card:#fff;--ink:#1b2026;--soft:#57606b;--rule:#e1e4e8;--link:#0a57a6;--hot:#f4f6f8}\n";
static const char dark[] = "@media (prefers-color-scheme:dark){\n"
                           ":root{--bg:#14171a;--card:#191d21;--ink:#e2e6ea;--soft:#a1aab4;--rule:#2d343b;--"
                           "link:#8abff5;--hot:#20252b}\n";
static const char rest[] =
    "}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--bg);color:var(--ink);font:1rem/1.55 system-ui,-apple-system,\"Segoe "
    "UI\",Roboto,\"Helvetica Neue\",Arial,sans-serif;-webkit-text-size-adjust:100%}\n"
    "code,.ln{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans "
    "Mono\",monospace;font-size:.8125rem}\n"
    "code{overflow-wrap:anywhere}\n"
    "header,main,footer{max-width:72rem;margin:0 auto;padding:0 clamp(1rem,4vw,2.5rem)}\n"
    "header{padding-top:2.5rem}\n"
    "a{color:var(--link);text-decoration-thickness:1px;text-underline-offset:2px}\n"
    ":focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:3px}\n"
    ".skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;background:var(--card);padding:.25rem "
    ".75rem}\n"
    "h1,h2,h3{line-height:1.25;margin:0;font-weight:650;letter-spacing:-.01em;overflow-wrap:anywhere}\n"
    "h1{font-size:1.625rem}h2{font-size:1.25rem;margin-top:3rem}h3{font-size:1.0625rem}\n"
    ".by{margin:.375rem 0 0;color:var(--soft)}\n"
    ".eyebrow,th,dt{font-size:.75rem;font-weight:600;color:var(--soft);letter-spacing:.02em}\n"
    "nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;padding:0;margin:1.25rem 0 0}\n"
    ".chip{display:inline-block;padding:0 .4375rem;border:1px solid "
    "var(--c);border-radius:99px;background:var(--t);color:var(--c);font:600 .75rem/1.5 "
    "system-ui,sans-serif;white-space:nowrap}\n"
    ".key{display:grid;grid-template-columns:max-content 1fr;gap:.375rem .75rem;margin:1rem 0 "
    "0;align-items:baseline}\n"
    ".key dt,.key dd{margin:0}.key dd{color:var(--soft);font-size:.875rem}\n"
    "table{border-collapse:collapse;width:100%;margin-top:1rem;font-size:.875rem}\n"
    "th,td{text-align:left;vertical-align:top;padding:.5rem 1rem .5rem 0;border-bottom:1px solid var(--rule)}\n"
    "th{border-bottom-color:var(--soft)}td:last-child,th:last-child{padding-right:0}\n"
    ".sum td:first-child{min-width:9.5rem}.num{font-variant-numeric:tabular-nums}\n"
    "section.fn{margin-top:1.5rem;padding:1.25rem;background:var(--card);border:1px solid "
    "var(--rule);border-radius:.5rem}\n"
    ".fn h4{margin:1.25rem 0 .25rem;font-size:.875rem}.fn ul{margin:.25rem 0 "
    "0;padding-left:1.125rem;font-size:.875rem}.fn li{margin:.1875rem 0}\n"
    ".fn p{margin:.25rem 0 0;font-size:.875rem}\n"
    ".src{margin-top:1rem;background:var(--card);border:1px solid "
    "var(--rule);border-radius:.5rem;overflow-x:auto;container-type:inline-size;padding:.5rem 0;tab-size:4}\n"
    ".lines{min-width:max-content}\n"
    ".ln{line-height:1.6;min-height:1.6em}\n"
    ".row{display:flex;position:relative;padding-right:1.5rem}\n"
    ".row "
    ".no{flex:none;width:3.5em;text-align:right;padding-right:.75em;color:var(--soft);user-select:none;text-"
    "decoration:none}\n"
    ".row .gut{flex:none;width:3.75rem;display:flex;gap:.1875rem;user-select:none}\n"
    ".row .gut .chip{font-size:.6875rem;line-height:1.25;height:1.3em;align-self:center;padding:0 .3125rem}\n"
    ".row code{white-space:pre;overflow-wrap:normal}\n"
    ".row .meas{font:.75rem/1.6 "
    "system-ui,sans-serif;color:var(--soft);padding-left:2rem;white-space:nowrap;align-self:center}\n"
    "summary{cursor:pointer;list-style:none}summary::-webkit-details-marker{display:none}\n"
    "details.ln>summary:hover,details.ln[open]>summary{background:var(--hot)}\n"
    "details.ln>summary .no::before{content:\"\\25B8\";position:absolute;left:.5em;color:var(--link)}\n"
    "details.ln[open]>summary .no::before{content:\"\\25BE\"}\n"
    "summary:focus-visible{outline-offset:-2px}\n"
    ":target>.row,.ln:target>summary{background:var(--hot);box-shadow:inset 3px 0 var(--link)}\n"
    "mark{background:var(--t);color:inherit;border-bottom:2px solid var(--c);border-radius:2px}\n"
    "mark::after{content:attr(data-way);font:600 .625rem/1 "
    "system-ui,sans-serif;color:var(--c);vertical-align:super;padding:0 .125rem}\n"
    ".fold>summary{color:var(--soft);font:.75rem/1.6 system-ui,sans-serif;padding:.125rem 0 .125rem "
    "3.5em;border-block:1px dashed var(--rule)}\n"
    ".fold>summary::before{content:\"\\25B8  \"}.fold[open]>summary::before{content:\"\\25BE  \"}\n"
    ".notes{position:sticky;left:0;width:100cqi;padding:.625rem 1rem "
    ".75rem;background:var(--hot);border-bottom:1px solid var(--rule);font:.875rem/1.5 "
    "system-ui,-apple-system,\"Segoe UI\",Roboto,sans-serif;white-space:normal}\n"
    ".acc{padding:.25rem 0 .25rem .875rem;border-left:3px solid "
    "var(--c)}.acc+.acc{margin-top:.5rem}.own+.own{margin-top:0}\n"
    ".acc header{all:unset;display:flex;flex-wrap:wrap;gap:.25rem .625rem;align-items:baseline}\n"
    ".up+.up{padding-left:.625rem;border-left:1px solid "
    "var(--rule)}.own{display:flex;flex-wrap:wrap;gap:.125rem .75rem;align-items:baseline}.acc "
    "p{margin:0;color:var(--soft);overflow-wrap:anywhere}.acc .of{color:var(--soft);font-size:.8125rem}\n"
    ".acc dl{display:grid;grid-template-columns:8.5rem 1fr;gap:.1875rem .75rem;margin:.375rem 0 0}\n"
    ".acc dt,.acc dd{margin:0}.acc dt{padding-top:.125rem}.acc dd{overflow-wrap:anywhere}\n"
    "footer{color:var(--soft);font-size:.8125rem;padding-top:3rem;padding-bottom:3rem}\n"
    "@media (max-width:44rem){\n"
    "header{padding-top:1.5rem}h2{margin-top:2.25rem}section.fn{padding:1rem}\n"
    ".sum,.sum tbody,.sum tr,.sum td{display:block}.sum thead{position:absolute;left:-99rem}\n"
    ".sum tr{padding:.625rem 0;border-bottom:1px solid var(--rule)}\n"
    ".sum td:first-child{min-width:0}.sum td{border:0;padding:.125rem "
    "0;display:grid;grid-template-columns:7.5rem 1fr;gap:.75rem}.tape th,.tape td{padding-right:.625rem}\n"
    ".sum "
    "td::before{content:attr(data-label);font-size:.75rem;font-weight:600;color:var(--soft);padding-top:."
    "125rem}\n"
    ".row .no{width:3.25em;padding-right:.375em}details.ln>summary .no::before{left:.125em}.row "
    ".gut{width:2.625rem}.fold>summary{padding-left:3.25em}\n"
    ".acc dl{grid-template-columns:1fr;gap:0}.acc dd{margin-bottom:.3125rem}\n"
    "}\n"
    "@media print{\n"
    "body{background:#fff;color:#000}.src{overflow:visible}.row "
    "code{white-space:pre-wrap}.lines{min-width:0}.skip,nav{display:none}\n"
    ".notes{position:static;width:auto}.acc,section.fn{break-inside:avoid}.chip,mark{print-color-adjust:exact;-"
    "webkit-print-color-adjust:exact}\n"
    "details.ln::details-content{content-visibility:visible;block-size:auto}\n"
    "}\n";

void gw_report_style(gw_text *out) {
    gw_text_add(out, light);
    put_colours(out, 0);
    gw_text_add(out, dark);
    put_colours(out, 1);
    gw_text_add(out, rest);
}
