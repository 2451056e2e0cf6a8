# triomino: the table server. See docs/hosting.md.
# The full image: it has the compiler that builds the kernel. Node comes from PyPI, if at all.
FROM python:3.13-bookworm AS build
WORKDIR /source
COPY . .
ENV TRIOMINO_KERNEL=required
RUN python -m venv /opt/triomino && /opt/triomino/bin/pip install --no-cache-dir '.[cluster]' \
  && /opt/triomino/bin/python -m compileall -q /opt/triomino/lib

FROM python:3.13-slim-bookworm
COPY --from=build /opt/triomino /opt/triomino
RUN useradd --system --uid 10001 --home-dir /data triomino && install -d -o triomino /data
USER 10001
# The root may be read-only: only /data is written to.
ENV PATH=/opt/triomino/bin:$PATH TRIOMINO_DATA=/data PYTHONDONTWRITEBYTECODE=1
VOLUME /data
EXPOSE 8020
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=15s CMD ["python", "-c", \
  "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8020/health', timeout=4)"]
ENTRYPOINT ["triomino"]
CMD ["serve", "--no-qr", "--log-json"]
