#!/usr/bin/env python3
"""The page of --report in a browser: no errors, nothing wider than the window, light and dark, by keyboard,
readable.

usage: browser_test.py GRADWRIGHT GWCC SOURCE [FOLDER]

Drives a Chromium (chromium-headless-shell, chromium, google-chrome, or $GW_BROWSER) by its debugging pipe;
exits with 77 where there is none. With FOLDER it leaves its screenshots there.
"""
import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

WIDTHS = (360, 768, 1440)
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

# Text whose colours are too near to each other (WCAG AA: 4.5, large text 3).
CONTRAST = r"""(() => {
  const numbers = c => (c.match(/[\d.]+/g) || []).map(Number);
  const light = c => { const [r, g, b] = c.map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
                       return .2126 * r + .7152 * g + .0722 * b; };
  const behind = e => { for (; e; e = e.parentElement) { const c = numbers(getComputedStyle(e).backgroundColor);
                        if (c.length == 3 || c[3] == 1) return c.slice(0, 3); } return [255, 255, 255]; };
  const poor = new Set();
  for (const e of document.querySelectorAll('body *')) {
    if (![...e.childNodes].some(n => n.nodeType == 3 && n.textContent.trim())) continue;
    const a = light(numbers(getComputedStyle(e).color).slice(0, 3)), b = light(behind(e));
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) poor.add(e.tagName + '.' + e.className + ' ' + ratio.toFixed(2));
  }
  return [...poor];
})()"""
WIDE = r"""(() => { const w = document.documentElement.clientWidth;
  return [...document.querySelectorAll('body *')].filter(e => !e.closest('.lines') && !e.closest('.skip') &&
    e.getClientRects().length && e.getBoundingClientRect().right > w + .5 && !e.closest('thead'))
    .map(e => e.tagName + '.' + e.className + ' ' + e.getBoundingClientRect().right); })()"""
SMALL = r"""[...document.querySelectorAll('body *')].filter(e => [...e.childNodes].some(n => n.nodeType == 3 && n.textContent.trim()) &&
  parseFloat(getComputedStyle(e).fontSize) < 11).map(e => e.tagName + '.' + e.className)"""


class Browser:
    def __init__(self, program, work):
        ours, theirs = os.pipe(), os.pipe()  # theirs: what the browser says

        def place():
            read, write = os.dup(ours[0]), os.dup(theirs[1])
            os.dup2(read, 3)
            os.dup2(write, 4)

        command = [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                   "--hide-scrollbars", "--remote-debugging-pipe", f"--user-data-dir={work}/profile",
                   "about:blank"]
        self.process = subprocess.Popen(command, preexec_fn=place, close_fds=False, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, env={**os.environ, "HOME": work})
        os.close(ours[0])
        os.close(theirs[1])
        self.to, self.of = os.fdopen(ours[1], "wb", 0), os.fdopen(theirs[0], "rb", 0)
        self.rest, self.number, self.events, self.session = b"", 0, [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def next(self):
        while b"\0" not in self.rest:
            more = self.of.read(1 << 16)
            if not more:
                sys.exit("the browser has ended")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.to.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self.next()
            if answer.get("id") == self.number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]
            self.events.append(answer)

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def key(self, name, text=None):
        codes = {"Tab": 9, "Enter": 13, " ": 32}
        parameters = {"key": name, "code": "Space" if name == " " else name,
                      "windowsVirtualKeyCode": codes[name]}
        self.call("Input.dispatchKeyEvent", type="keyDown", **parameters, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **parameters)

    def open(self, url, width, scheme):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1,
                  mobile=width < 500)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.navigate", url=url)
        while self.value("document.readyState + location.href") != "complete" + url:
            time.sleep(0.02)

    def screenshot(self):
        return base64.b64decode(self.call("Page.captureScreenshot", format="png",
                                          captureBeyondViewport=True)["data"])


def check_width(browser, url, width, scheme):
    browser.open(url, width, scheme)
    assert browser.value("innerWidth") == width, "the viewport is not the device's"
    assert browser.value("document.documentElement.scrollWidth") <= width, \
        f"{width}: the page is wider than the window"
    browser.value("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert browser.value("document.documentElement.scrollWidth") <= width, \
        f"{width}: the open page is wider than the window"
    for what, expression in (("beyond the edge", WIDE), ("hard to read", CONTRAST), ("too small", SMALL)):
        found = browser.value(expression)
        assert not found, f"{width}, {scheme}: {what}: {found[:8]}"
    if width == 360:
        assert browser.value("[...document.querySelectorAll('.src')]"
                             ".every(e => e.scrollWidth > e.clientWidth)"), \
            "code does not scroll"
        browser.value("document.querySelector('.src').scrollLeft = 300")
        left = browser.value("Math.min(...[...document.querySelectorAll('.notes')].map(e => "
                             "e.getBoundingClientRect().left))")
        assert left >= 0, f"notes scroll away with the code: {left}"


def check_keyboard(browser, url):
    browser.open(url, 768, "light")
    for _ in range(200):
        browser.key("Tab")
        if browser.value("document.activeElement.matches('details.ln:not([open]) > summary')"):
            break
    else:
        sys.exit("no closed line is reached by Tab")
    assert browser.value(
        "getComputedStyle(document.activeElement).outlineStyle") != "none", "the focus cannot be seen"
    is_open = "document.activeElement.parentElement.open"
    browser.key("Enter", "\r")
    assert browser.value(is_open), "Enter does not open a line"
    assert browser.value("document.activeElement.nextElementSibling.checkVisibility()"), \
        "its accesses are not to be seen"
    browser.key(" ", " ")
    assert not browser.value(is_open), "Space does not close it"
    # A link to an access in a closed line opens that.
    inside = browser.value("document.querySelector('details.ln:not([open]) .up').id")
    browser.value(f"location.hash = '{inside}'")
    for _ in range(100):
        if browser.value(f"document.getElementById('{inside}').checkVisibility()"):
            return
        time.sleep(0.02)
    sys.exit("a link to an access does not show it")


def check_quiet(browser, url):
    said = [e for e in browser.events if e["method"] in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled",
                                                         "Log.entryAdded")]
    assert not said, said
    asked = {e["params"]["request"]["url"] for e in browser.events if e["method"]
             == "Network.requestWillBeSent"}
    assert {re.sub("#.*", "", one) for one in asked} <= {url, "data:,"}, asked


def main():
    gradwright, gwcc, source, *folder = sys.argv[1:]
    program = next(filter(None, map(shutil.which, filter(None, (os.environ.get("GW_BROWSER"),) + BROWSERS))),
                   None)
    if not program:
        print(f"skipped: no browser; install one of {', '.join(BROWSERS)} or set GW_BROWSER")
        sys.exit(77)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        flags = subprocess.run([gwcc, "--device=cpu", "--print-parse-flags"], capture_output=True, text=True,
                               check=True)
        page = os.path.join(work, "page.html")
        subprocess.run([gradwright, source, "-o", f"{work}/x.cuh", f"--report={page}", "--",
                        *flags.stdout.split()], check=True)
        url, browser, pictures = f"file://{page}", Browser(program, work), {}
        try:
            for domain in ("Page", "Runtime", "Log", "Network"):
                browser.call(f"{domain}.enable")
            for width in WIDTHS:
                for scheme in ("light", "dark"):
                    check_width(browser, url, width, scheme)
                    pictures[width, scheme] = browser.screenshot()
                    if folder:
                        with open(os.path.join(folder[0], f"{width}-{scheme}.png"), "wb") as file:
                            file.write(pictures[width, scheme])
                assert pictures[width, "light"] != pictures[width, "dark"], f"{width}: dark is light"
            assert browser.value("document.querySelectorAll('.up').length") > 8
            check_keyboard(browser, url)
            check_quiet(browser, url)
        finally:
            browser.process.kill()
            browser.process.wait()


main()
