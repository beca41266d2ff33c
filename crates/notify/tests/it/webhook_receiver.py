"""A webhook receiver for tests, with the Python library of Standard Webhooks.

Argument: the secret. Prints its port and the time as a JSON line, then the result of verifying each request.
"""

import json
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

from standardwebhooks.webhooks import Webhook, WebhookVerificationError


def say(**fields):
    print(json.dumps(fields), flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = Webhook(sys.argv[1]).verify(body, dict(self.headers))
            error = None
        except WebhookVerificationError as failure:
            event, error = None, str(failure)
        say(event=event, error=error, id=self.headers["webhook-id"], agent=self.headers["user-agent"])
        self.send_response(401 if error else 204)
        self.end_headers()

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Receiver)
say(port=server.server_port, now=int(time.time()))
server.serve_forever()
